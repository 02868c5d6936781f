// Sentences about the recorder, ffmpeg and OBS, and about tests of what this computer can record.

export const captureMessages = {
  "obs.replay_not_readable": "The replay that OBS wrote cannot be read ({{path}}): {{why}}",
  "obs.replay_stands_still":
    "OBS saved the same footage as {{seconds}} s ago, so its replay buffer has stopped. Stop and start it in OBS.",
  "obs.keeps_more":
    "Its last replay had {{kept}} s, more than the {{seconds}} s of its setting, which needs memory. Stopping and starting its replay buffer helps.",
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
  "ffmpeg.found_kit": "ffmpeg {{version}}, which came with Kit (GPL version 2 or later, a separate program).",
  "ffmpeg.found": "ffmpeg {{version}}, found on this machine.",
  "ffmpeg.found_too_old": "ffmpeg {{version}} on this machine cannot record on Windows: version 5.1 or newer can.",
  "ffmpeg.lacks_gfxcapture":
    "It lacks gfxcapture: if a game draws with the graphics card, Kit cannot record its window alone. ffmpeg 8.1 or newer for Windows usually has it.",
  "ffmpeg.not_found": "No ffmpeg was found: {{how}}, or set KIT_FFMPEG to its path.",
  "ffmpeg.install": "install ffmpeg so that it is on PATH",
  "ffmpeg.install_linux": "install the package ffmpeg, e.g. `sudo apt-get install ffmpeg`",
  "ffmpeg.install_macos": "run `brew install ffmpeg`",
  "ffmpeg.install_windows": "run `winget install Gyan.FFmpeg`",
  "ffmpeg.install_offer": "Kit runs `{{command}}`, and then tests ffmpeg.",
  "ffmpeg.install_offer_password":
    "Kit runs `{{command}}`, and then tests ffmpeg. The system asks for the password of an administrator.",
  "ffmpeg.install_chosen": "KIT_FFMPEG names the ffmpeg to use: unset it first.",
  "ffmpeg.install_no_manager": "Kit finds no package manager here: {{how}}.",
  "ffmpeg.install_as_administrator": "Only an administrator can install programs here: let one run `{{command}}`.",
  "ffmpeg.install_running": "`{{command}}` is running.",
  "ffmpeg.install_not_started": "`{{command}}` could not be started.",
  "ffmpeg.install_failed": "`{{command}}` ended with code {{code}}, so ffmpeg was not installed.",
  "ffmpeg.install_not_found":
    "`{{command}}` succeeded, but Kit finds no ffmpeg. Restart Kit, or set KIT_FFMPEG to its path.",
  "ffmpeg.install_present_not_found":
    "`{{command}}` says that ffmpeg is already installed, but Kit cannot find it. Set KIT_FFMPEG to its path.",
  "ffmpeg.install_other_version_not_found":
    "`{{command}}` says that another version of ffmpeg is already installed, but Kit cannot find it. Set KIT_FFMPEG to its path.",
  "ffmpeg.install_newer_version_not_found":
    "`{{command}}` says that a newer version of ffmpeg is already installed, but Kit cannot find it. Set KIT_FFMPEG to its path.",
  "ffmpeg.install_done": "ffmpeg {{version}} is installed, and encodes H.264.",
  "ffmpeg.install_no_encoder": "ffmpeg {{version}} is installed, but it encodes no H.264. Install another build.",
  "ffmpeg.was_ended_by": "ffmpeg was ended by {{signal}}",
  "ffmpeg.ended_with_code": "ffmpeg ended with code {{code}}",
  "ffmpeg.could_not_be_started": "ffmpeg could not be started ({{why}})",
  "job.was_cancelled": "the job was cancelled",
  "ffmpeg.did_not_finish": "ffmpeg did not finish within {{seconds}} s",
  "ffmpeg.hangs": "ffmpeg hangs: it has printed nothing for {{minutes}} minutes",
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
  "encoder.no_graphics_card": "there is no graphics card that can encode",
  "encoder.not_in_build": "this ffmpeg was built without it",
  "capture.test_cancelled": "the test was cancelled",
  "encoder.none_works": "no encoder for H.264 works here; install an ffmpeg with libx264",
  "capture.could_not_keep_up": "This machine could not keep up in the test: {{why}}.",
  "capture.no_sound": "Clips have no sound: a test recording says why.",
  "capture.picture_was_black":
    "The picture was black all through the test. If the game was not, capture its window, or use OBS.",
  "capture.frame_rate": "{{rate}} frames a second arrived",
  "capture.every_frame_arrived": "every frame arrived",
  "capture.nothing_tried": "nothing was tried",
  "ffmpeg.too_old_for_window": "this ffmpeg is too old to capture one window; install a newer one",
  "capture.screen_not_recorded":
    "ffmpeg could not record the screen: {{why}}. Run a test recording after changing something; OBS can record instead.",
  "capture.window_not_recorded": "ffmpeg could not record the window: {{why}}. OBS can record it instead.",
  "windows.session_disconnected":
    "Nobody is connected to this session of Windows, so it has no picture. Connect again, and Kit goes on by itself.",
  "windows.screen_locked":
    "Windows shows its lock screen or asks for permission, which no program may record. Unlock Windows, and Kit goes on by itself.",
  "windows.driver_restarted":
    "The driver of the graphics card was restarted or replaced. Kit starts again by itself; if it does not, restart the computer.",
  "windows.screen_changed":
    "Windows took the screen away for a moment, for example because of sleep, HDR, another resolution or a game in full screen. Kit starts again by itself; if this happens often, choose the game's window on the Recorder page.",
  "windows.too_many_recorders":
    "Other programs record this screen already, and Windows allows no more. Close one of them, and Kit goes on by itself.",
  "windows.other_graphics_chip":
    "The screen belongs to another graphics chip than the one that Windows gives ffmpeg. In Windows, Settings → System → Display → Graphics, set ffmpeg.exe to Power saving.",
  "windows.no_monitor": "Windows has no monitor here. Connect one or switch it on, and Kit goes on by itself.",
  "windows.monitor_gone":
    "The monitor that Kit recorded is gone. Connect it again or switch it on, and Kit goes on by itself.",
  "windows.capture_forbidden":
    "The privacy settings of Windows do not allow recording the screen. Allow it there, and Kit goes on by itself.",
  "windows.too_old_for_capture":
    "This Windows lacks a part that recording a window needs. Update Windows, or choose the screen on the Recorder page.",
  "windows.window_refused":
    "Windows does not hand out the picture of this window. Open it again if it is closed, or choose another one on the Recorder page.",
  "windows.window_closed": "The window that Kit recorded is closed. Open it again, and Kit goes on by itself.",
  "sound.source": "sound: {{name}}",
  "sound.works": "it works",
  "sound.no_server": "no PulseAudio or PipeWire server answers",
  "sound.no_programs": "parec and pactl are not installed; most systems have them in the package pulseaudio-utils",
  "sound.not_separable":
    "Clips have the sound of every program: to record only the game's, install parec and pactl (package pulseaudio-utils).",
  "sound.microphone_not_separable":
    "Clips have no microphone: Kit needs PulseAudio or PipeWire for it, with parec and pactl (package pulseaudio-utils).",
  "sound.of_all_programs": "Clips have the sound of every program, because Kit does not know the game's process.",
  "sound.not_of_one_program":
    "Clips have the sound of every program, because this Windows does not record a single one ({{code}}). Windows 11 does.",
  "sound.no_own_program":
    "Clips have no microphone, and the game's sound only with that of every other program: kit-sound.exe, which belongs to Kit for Windows, is not beside it.",
  "sound.program_ended": "kit-sound.exe ended with {{how}}",
  "sound.game_silent": "The game plays no sound at the moment.",
  "sound.no_microphone":
    "The computer has no microphone that Kit could record. Connect one, or switch the microphone off in the recorder's settings.",
  "sound.gone":
    "No sound is recorded: {{why}}. Start the sound server or install what is missing; Kit then records sound by itself.",
  "sound.no_pulseaudio_in_build": "this ffmpeg was built without PulseAudio",
  "sound.no_device_macos": "macOS gives no program what is played: install a loopback device such as BlackHole",
  "sound.no_device_windows":
    "Windows gives ffmpeg no device with what is played: switch on Stereo Mix, or install virtual-audio-capturer",
  "source.display_not_opened":
    "The X display {{display}} cannot be opened ({{why}}). Start Kit from within the desktop session.",
  "source.no_screen": "There is no screen here to record: neither an X display nor a Wayland session is open.",
  "source.no_window":
    'No visible window has "{{title}}" in its title. Open the game, or set the recorder to another window or to the whole screen.',
  "window.of_game_not_found":
    "No window of a game is known, so the whole screen is recorded. To record one window only, choose it in the recorder's settings.",
  "window.searching": "Kit waits for the game to open its window.",
  "window.minimised": 'The window "{{title}}" is minimised, so there is nothing to record. Show it, and Kit goes on.',
  "window.closed": "The game's window is closed. Kit goes on when the game opens another one.",
  "window.game_ended": "The game has ended, so nothing is recorded.",
  "source.primary_monitor":
    "The monitor {{name}} is not connected, so Kit records the primary one. Connect it, or choose another source.",
  "source.no_monitor": "The monitor {{name}} is not connected. Connect it, or choose another source.",
  "sources.only_x11": "So far, Kit can list windows only on X11 and Windows.",
  "source.windows_not_listed": "Windows did not list the windows: {{why}}",
  "source.not_in_build": "this ffmpeg was built without {{what}}; ffmpeg 8.1 or newer for Windows usually has them",
  "source.window_is_black":
    "the picture of the window is black, as with games that the graphics card draws; ffmpeg 8.1 or newer with gfxcapture records those",
  "desktop.process_ended": "the process that takes hotkeys and shows the icon has ended",
  "tray.menu_open": "Open Kit",
  "tray.menu_save": "Save the last {{seconds}} seconds",
  "tray.menu_stop": "Stop Kit",
  "tray.unsupported": "Kit can show its icon only in the taskbar of Windows or the tray of a Linux desktop yet.",
  "tray.no_bus": "the session bus of this desktop was not found",
  "tray.none": "This desktop has no tray for icons. On GNOME, an extension adds one.",
  "tray.failed": "The icon cannot be shown: {{why}}. Kit tries again.",
  "window.other_game": "Another game is recorded, so the screen is not.",
  "window.none_beside_game": "No window of this game was found, and the screen would show the other game.",
  "capture.only_other_game": "only the window of another game was recorded",
  "window.no_composite":
    "The X server lacks the Composite extension, without which other windows would be in the picture. Enable it in the settings of the X server, or record through OBS.",
  "capture.not_decodable": "the output cannot be decoded",
  "capture.no_picture": "no picture arrived",
  "capture.pictures_late": "pictures arrived {{seconds}} s late",
  "capture.frames_arrived": "{{rate}} of {{wanted}} frames a second arrived",
  "capture.times_differ": "its times differ from this machine's clock",
  "capture.first_picture_no_keyframe": "its first picture is not a keyframe",
  "display.no_answer": "the X server did not answer",
  "display.closed_connection": "the X server closed the connection",
  "recorder.still_probing": "Kit is still finding out how this machine captures best.",
  "ffmpeg.ended_with": "ffmpeg ended with {{how}}",
  "ffmpeg.cannot_be_started": "ffmpeg cannot be started ({{why}})",
  "capture.too_many_messages": "it wrote too many messages",
  "capture.not_footage": "the output is not footage ({{why}})",
  "disk.is_full": "The disk is full: the clip needs {{needed}} MB, and {{free}} MB must stay free",
  "file.partly_written": "{{written}} of {{bytes}} bytes were written",
  "footage.none_of_time": "There is no footage of that time",
  "capture.internal_error": "The capture failed because of an internal error; it restarts by itself",
  "capture.not_chosen": "The capture cannot be chosen: {{why}}",
  "capture.nothing_captured": "Nothing was captured",
  "recorder.keeps_trying": "Kit keeps trying; a test recording shows what fails.",
  "recorder.source_may_be_gone":
    "The screen or window may be gone; Kit keeps trying. If it does not come back, choose another source on the Recorder page.",
  "recorder.check_ffmpeg": "Check that ffmpeg runs on this machine: `kit doctor` shows which one is used.",
  "recorder.captures": "Captures {{source}}.",
  "recorder.picture_frozen": "The picture has not changed for {{seconds}} s although the game sends events.",
  "recorder.starting": "The capture is starting",
  "recorder.probing": "Finding out how this machine captures best",
  "recorder.captures_nothing": "Nothing is captured",
  "capture.capacity_again": "the machine has capacity for a higher quality again",
  "capture.no_footage_for": "no footage came for {{seconds}} s",
  "capture.other_configuration": "another configuration is wanted",
  "capture.was_stopped": "the capture was stopped",
  "capture.settings_changed": "the settings were changed",
  "capture.ended_before_cut": "The capture ended before the clip could be cut; its footage is gone",
  "capture.footage_late": "the footage came {{seconds}} s late",
  "capture.times_in_future": "the times of the footage are in the future",
  "capture.clock_jumped": "the computer slept, or its clock was set",
  "capture.encoder_behind": "the encoder is {{seconds}} s behind",
  "recorder.ended_because": "The capture ended: {{why}}.",
  "recorder.ended": "The capture ended.",
  "recorder.restarting": "The capture is restarting.",
  "footage.none_now": "{{why}}. {{state}}",
  "recorder.was_only_starting": "The recorder was only starting when it happened.",
  "recorder.set_to_always": "Set it to `always` to have the seconds before each moment.",
  "test_recording.works":
    "{{seconds}} s of {{source}} by {{by}}: {{width}} × {{height}}, {{rate}} frames a second. {{state}}",
  "source.screen": "the screen",
  "encoder.works": "it encoded",
  "encoder.works_at_cost": "it encoded, {{percent}} % of one core for a test picture",
  "sound.name": "sound",
  "source.wayland":
    "ffmpeg cannot capture a Wayland session. Start OBS with its WebSocket server switched on: Kit then records through it. gpu-screen-recorder can record it too, but without Kit's clips.",
  "source.x11_game_by_title": "A game that uses X11 can be captured by its window's title.",
  "source.no_window_on_macos":
    "ffmpeg cannot capture a single window on macOS. Start OBS with its WebSocket server switched on: Kit then records through it.",
  "source.no_screen_on_macos":
    "macOS lists no screen to ffmpeg: allow it under System Settings, Privacy & Security, Screen Recording, for what started Kit. Or: Start OBS with its WebSocket server switched on: Kit then records through it.",
  "capture.not_video": "the output is not a video stream ({{why}})",
  "capture.attempt": "{{source}}, {{encoder}}, {{rate}} frames a second",
  "capture.attempt_with_sound": "{{source}}, {{encoder}}, {{rate}} frames a second, sound",
  "capture.picture": "{{width}}×{{height}}, {{arrived}}",
  "capture.black_picture": "{{width}}×{{height}}, {{arrived}}, all black",
  "recorder.off": "Recording is switched off in the settings: moments become markers",
  "recorder.waits": "Waits for a game's first event",
} as const;
