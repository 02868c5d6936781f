// Sentences about capturing: the recorder, ffmpeg, OBS, and what a test of this computer showed.

export const captureMessages = {
  "obs.replay_not_readable": "The replay that OBS wrote cannot be read ({{path}}): {{why}}",
  "obs.needs_ffmpeg": "Kit needs ffmpeg to cut OBS's replay, and found none.",
  "obs.hangs": "OBS does not answer. It may hang; Kit tries again.",
  "obs.searching": "Kit is searching for OBS.",
  "obs.not_searching": "Kit does not search for OBS.",
  "obs.has_ended": "OBS has ended.",
  "obs.not_reachable":
    "OBS does not answer at {{url}}. Start OBS; in OBS, Tools → WebSocket Server Settings → Enable WebSocket server, with the port that Kit is set to.",
  "obs.did_not_answer": "OBS did not answer",
  "obs.connection_ended_by_kit": "Kit ended the connection to OBS",
  "obs.connection_ended": "the connection to OBS ended",
  "obs.only_this_machine": "Kit connects only to OBS on this machine, not at {{url}}.",
  "obs.answered_status": "OBS answered with status {{code}}",
  "obs.replay_buffer_stopped":
    "The replay buffer was stopped in OBS. Start it there, or check OBS for an error message.",
  "obs.starts_replay_buffer": "OBS {{version}} starts its replay buffer.",
  "obs.checking_replay_buffer": "Checking the replay buffer of OBS {{version}}.",
  "obs.replay_buffer_missing":
    "OBS has no replay buffer: in OBS, Settings → Output → Replay Buffer, tick Enable Replay Buffer (in the simple mode no lossless recording, in the advanced mode no custom output).",
  "obs.no_longer_used": "Kit no longer uses OBS.",
  "obs.at": "OBS at {{url}}",
  "obs.replay_not_saved": "OBS did not save its replay: {{why}}.",
  "obs.no_replay_buffer": "OBS has no replay buffer.",
  "obs.replay_buffer_not_running": "OBS's replay buffer was not running.",
  "obs.wrote_no_replay": "OBS wrote no replay within {{seconds}} s. Its disk may be full, or its folder may be gone.",
  "obs.replay_not_saved_twice": "OBS did not save its replay: {{why}}, twice.",
  "ffmpeg.chosen_does_not_run":
    "The ffmpeg that KIT_FFMPEG names does not run: {{why}}. Correct it, or unset it to use the one on PATH.",
  "ffmpeg.found_by_setting": "ffmpeg {{version}}, as set by KIT_FFMPEG.",
  "ffmpeg.found_packaged":
    "ffmpeg {{version}}, the packaged build (GPL version 3, a separate program). It is old: a newer one on PATH also records windows and sound, and needs less processor time.",
  "ffmpeg.found": "ffmpeg {{version}}, found on this machine.",
  "ffmpeg.not_found": "No ffmpeg was found: {{how}}, or set KIT_FFMPEG to its path.",
  "ffmpeg.install": "install ffmpeg so that it is on PATH",
  "ffmpeg.install_linux": "install the package ffmpeg, e.g. `sudo apt-get install ffmpeg`",
  "ffmpeg.install_macos": "run `brew install ffmpeg`",
  "ffmpeg.install_windows": "run `winget install Gyan.FFmpeg`",
  "ffmpeg.was_ended_by": "ffmpeg was ended by {{signal}}",
  "ffmpeg.ended_with_code": "ffmpeg ended with code {{code}}",
  "ffmpeg.could_not_be_started": "ffmpeg could not be started ({{why}})",
  "job.was_cancelled": "the job was cancelled",
  "ffmpeg.did_not_finish": "ffmpeg did not finish within {{seconds}} s",
  "ffmpeg.wrote_too_much": "ffmpeg wrote more than {{limit}} bytes",
  "footage.no_picture_at_time": "No picture was recorded at that time.",
  "footage.nothing_at_time": "Nothing was recorded at that time.",
  "obs.replay_elsewhere":
    "OBS wrote its replay to {{path}}, which is not a file on this machine. An OBS in a container or on another machine writes files that Kit cannot read.",
  "obs.replay_not_accessible":
    "OBS wrote its replay to {{path}}, which cannot be read here ({{why}}). An OBS in a container or on another machine writes files that Kit cannot read.",
  "obs.password_rejected":
    "OBS rejects Kit's password. OBS shows it under Tools → WebSocket Server Settings → Show Connect Info. Enter it in Kit again.",
  "obs.password_missing":
    "OBS requires a password, and Kit has none. OBS shows it under Tools → WebSocket Server Settings → Show Connect Info. Enter it in Kit.",
  "obs.answers_differently":
    "The program at {{url}} does not answer like OBS. Is it OBS 28 or newer? Restart OBS, or correct the port.",
  "obs.ended_connection":
    "The program at {{url}} ended the connection. Is it OBS 28 or newer? Restart OBS, or correct the port.",
  "obs.waits_for_game": "OBS {{version}} is connected and waits for a game.",
  "obs.records": "OBS {{version}} records.",
  "obs.records_with_length": "OBS {{version}} records; its replay buffer keeps {{seconds}} s.",
  "obs.replay_buffer_short":
    "That may be too short for whole clips: in OBS, Settings → Output → Replay Buffer, set Maximum Replay Time to {{seconds}} s or more, and the keyframe interval to 1 or 2 s.",
  "ffmpeg.not_like_ffmpeg": "It does not answer like ffmpeg",
  "ffmpeg.found_does_not_run": "The one on this machine does not run: {{why}}.",
  "ffmpeg.failed": "{{why}}.",
  "ffmpeg.failed_saying": "{{why}}: {{said}}",
  "job.cancelled_before_start": "The job was cancelled before it started",
} as const;
