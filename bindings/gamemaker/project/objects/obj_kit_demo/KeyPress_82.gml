/// @description R: a moment worth a clip.
kit_recording_trigger("kitdemo_boss_defeated");
last_sent = "kitdemo_boss_defeated, to be recorded";
