// Sentences about storage, backups, restores and wipes, autostart and the demo.

export const dataMessages = {
  "autostart.rejected": "The system rejected the change: {{problem}}",
  "autostart.downloaded":
    "This Kit was downloaded by npx, which will delete it: install Kit, and start the installed one.",
  "autostart.off": "Kit starts when you start it.",
  "autostart.changed":
    "{{place}} was changed by another program or a person, so Kit leaves it unchanged. Remove it yourself to let Kit write it.",
  "autostart.changed_before":
    "{{place}} was changed by another program or a person, so Kit leaves it unchanged. Remove it yourself first.",
  "autostart.changed_after":
    "{{place}} was changed by another program or a person, so Kit leaves it unchanged. Remove it yourself.",
  "autostart.windows": "Windows starts Kit when you sign in. It runs in its own window; closing the window ends Kit.",
  "autostart.macos": "macOS starts Kit when you sign in.",
  "autostart.desktop": "Your desktop starts Kit when you sign in.",
  "autostart.systemd": "systemd starts Kit when you sign in.",
  "autostart.unsupported": "Kit does not support autostart on {{platform}}: let the system run `kit start --no-open`.",
  "autostart.control_character":
    "A path contains a line break or another control character, so no system can start it.",
  "autostart.long_command":
    "The command is {{characters}} characters long, and Windows starts at most {{most}}: move Kit and its data to folders with shorter names.",
  "backup.unknown": "There is no backup {{name}}. `kit backup` lists them.",
  "backup.failed": "No backup was made. {{problem}}",
  "previous_data.unknown": "There is no previous data {{name}}. `kit backup` lists it.",
  "restore.own_files": "The clips folder contains Kit's own files, so the clips cannot be moved.",
  "restore.no_database": "There is no database in {{name}}. Nothing was changed.",
  "restore.restarting": "The launcher is already about to restart. Try again in a moment.",
  "restore.not_prepared": "The new database could not be prepared. {{problem}} Nothing was changed.",
  "restore.impossible": "The restore is not possible: {{problem}} Nothing was changed.",
  "wipe.no_data": "Kit has no data of a game {{game}}.",
  "wipe.started": "{{game}} is being wiped, which can no longer be undone.",
  "wipe.not_planned": "No wipe of {{game}} is planned.",
  "wipe.unknown_game": "Kit has no data of a game {{game}}. `kit storage` lists the games with data.",
  "demo.not_started": "The demo could not be started: {{problem}}",
  "demo.running": "The demo is already running.",
  "demo.ended_early": "The demo ended unexpectedly ({{code}}).",
  "storage.closed": "The storage is closed.",
  "storage.not_readable": "The database cannot be read yet. `kit doctor` shows why.",
  "storage.too_many_writes": "Too many writes are waiting. Try again shortly.",
  "post.unknown_delivery": "the database was damaged, so it is unknown whether this was posted",
  "autostart.other_copy": "{{words}} It starts another copy or version of Kit: switch it on again.",
  "autostart.switched_off": "It was switched off in the system settings: switch it on again.",
} as const;
