/// @description S: a moment worth telling.
kit_social_trigger("kitdemo_all_stars");
last_sent = "kitdemo_all_stars, to be told";
