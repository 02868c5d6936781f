// Sentences about storage, backups, restores and wipes, and autostart.

export const dataMessages = {
  "autostart.changed":
    "{{place}} was changed by another program or a person, so Kit leaves it unchanged. Remove it yourself to let Kit write it.",
  "autostart.changed_after":
    "{{place}} was changed by another program or a person, so Kit leaves it unchanged. Remove it yourself.",
  "autostart.changed_before":
    "{{place}} was changed by another program or a person, so Kit leaves it unchanged. Remove it yourself first.",
  "autostart.control_character":
    "A path contains a line break or another control character, so no system can start it.",
  "autostart.desktop": "Your desktop starts Kit when you sign in.",
  "autostart.downloaded":
    "This Kit was downloaded by npx, which will delete it: install Kit, and start the installed one.",
  "autostart.long_command":
    "The command is {{characters}} characters long, and Windows starts at most {{most}}: move Kit and its data to folders with shorter names.",
  "autostart.macos": "macOS starts Kit when you sign in.",
  "autostart.off": "Kit starts when you start it.",
  "autostart.other_copy": "{{words}} It starts another copy or version of Kit: switch it on again.",
  "autostart.rejected": "The system rejected the change: {{problem}}",
  "autostart.switched_off": "It was switched off in the system settings: switch it on again.",
  "autostart.systemd": "systemd starts Kit when you sign in.",
  "autostart.unsupported": "Kit does not support autostart on {{platform}}: let the system run `kit start --no-open`.",
  "autostart.windows": "Windows starts Kit when you sign in. It runs without a window; `kit stop` ends it.",
  "backup.failed": "No backup was made. {{problem}}",
  "backup.unknown": "There is no backup {{name}}. The Storage page lists them.",
  "desktop_entry.off": "Kit is not in the menu of your desktop.",
  "desktop_entry.on": "Kit is in the menu of your desktop.",
  "desktop_entry.unsupported":
    "Kit adds itself to the menu on Linux and Windows only. On this system, make a shortcut that runs `kit start`.",
  "keyring.ended": "the keyring process ended without an answer",
  "keyring.failed": "The system's keyring failed: {{why}}.",
  "keyring.no_answer": "it did not answer within {{seconds}} s; it may be locked",
  "post.unknown_delivery": "it comes from an older copy of the data, so it is unknown whether this was posted",
  "previous_data.unknown": "There is no previous data {{name}}. The Storage page lists it.",
  "restore.already_planned": "A restore of another database is already planned.",
  "restore.failed": "What was to be restored was not: all is as it was. {{problem}}",
  "restore.impossible": "The restore is not possible: {{problem}} Nothing was changed.",
  "restore.no_database": "There is no database in {{name}}. Nothing was changed.",
  "restore.not_prepared": "The new database could not be prepared. {{problem}} Nothing was changed.",
  "restore.own_files": "The clips folder contains Kit's own files, so the clips cannot be moved.",
  "restore.restarting": "The launcher is already about to restart. Try again in a moment.",
  "secret.damaged": "The secret {{name}} was damaged. Enter the secret again.",
  "secret.file_damaged": "its file is damaged",
  "secret.key_missing": "its key is missing",
  "secret.keyring_locked": "{{name}} is stored in the system's keyring. {{problem}} Unlock it and try again.",
  "secret.keyring_off":
    "{{name}} is stored in the system's keyring, which KIT_SECRETS switches off. Enter the secret again.",
  "secret.newer": "The secret {{name}} was stored by a newer Kit. Enter the secret again.",
  "secret.not_in_keyring": "{{name}} is no longer in the system's keyring. Enter the secret again.",
  "secret.not_removed":
    "{{name}} was not removed: the system's keyring stores it and did not answer. Unlock it and try again.",
  "secret.other_key": "it does not match its key",
  "secret.set_aside": "The secret {{name}} cannot be read ({{why}}); its file was set aside. Enter the secret again.",
  "storage.also_missing": "Also missing: {{files}}.",
  "storage.backup_failed": "The daily backup failed. {{problem}}",
  "storage.cannot_open": "The database cannot be opened. Check that the data directory exists and is writable.",
  "storage.closed": "The storage is closed.",
  "storage.damaged":
    "The database is damaged. Kit moves it to quarantine, restarts, and restores the newest good backup.",
  "storage.damaged_often": "The database was damaged {{times}} times in a day. Check the disk.",
  "storage.disk_errors":
    "The disk reports errors. Free up space, check the disk, or start with --data-dir on another disk.",
  "storage.disk_full":
    "The disk is full. Free up space, and Kit continues automatically; or start with --data-dir on another disk.",
  "storage.displaced":
    "The database was deleted, moved, replaced or overwritten while Kit was running. Do not stop Kit: it still has the events, and writes them back as soon as possible.",
  "storage.drive_gone":
    "The disk of the data directory is not connected. Connect it again, or start with --data-dir on another disk.",
  "storage.failed": "{{explanation}} ({{problem}})",
  "storage.file_damaged": "The file is damaged or not a database.",
  "storage.files_moved": "The files in its place were moved to {{folder}}.",
  "storage.forbidden":
    "Kit has no permission to write to the data directory. Allow your user to write there, and Kit continues automatically; or start with another --data-dir.",
  "storage.foreign_part": "Its {{part}} does not belong to Kit.",
  "storage.locked": "Another program has locked the database. Close that program.",
  "storage.lost": "Lost events: {{events}}.",
  "storage.lost_at_least": "At least {{events}} events are lost.",
  "storage.lost_none": "No event is lost.",
  "storage.missing_part": "Its {{part}} is missing.",
  "storage.not_a_database":
    "The database file is damaged. Kit moves it to quarantine, restarts, and restores the newest good backup.",
  "storage.not_kits": "The file is not a Kit database.",
  "storage.not_readable": "The database cannot be read yet. `kit doctor` shows why.",
  "storage.nothing_recovered": "Nothing could be recovered from the damaged database. {{problem}}",
  "storage.other_disk": "{{path}} is no longer on the same disk. Connect that disk again, or create {{path}} on it.",
  "storage.other_part": "Its {{part}} differs from Kit's schema.",
  "storage.put_back":
    "The database was deleted, moved, replaced or overwritten while Kit was running. Kit restored it with all {{events}} events.",
  "storage.quarantined": "The database was damaged and moved to {{folder}}. The backup {{backup}} was restored.",
  "storage.quarantined_empty":
    "The database was damaged and moved to {{folder}}. There was no good backup, so Kit started with an empty database.",
  "storage.read_only":
    "The data directory is read-only. Make it writable, and Kit continues automatically; or start with --data-dir on another disk.",
  "storage.recovered":
    "Recovered from the damaged database: {{events}} events, {{clips}} clips, {{issues}} issues, {{posts}} posts.",
  "storage.recovery_too_long":
    "At least {{events}} events are missing, because the recovery reached its time limit. They remain in the damaged file.",
  "storage.removed_again": "Another program removed the restored files immediately.",
  "storage.restart": "Restart Kit. If that does not help, run `kit doctor`.",
  "storage.some_from_backup":
    "Some clips, issues, posts, sessions or settings could not be read; those of the backup are used instead.",
  "storage.too_large_number": "A number in its table {{table}} is larger than any that Kit writes.",
  "storage.too_many_writes": "Too many writes are waiting. Try again shortly.",
  "storage.unreadable": "The remains of the database could not be read completely.",
  "wipe.no_data": "Kit has no data of a game {{game}}.",
  "wipe.not_planned": "No wipe of {{game}} is planned.",
  "wipe.started": "{{game}} is being wiped, which can no longer be undone.",
  "wipe.unknown_game": "Kit has no data of a game {{game}}. The Storage page lists the games with data.",
} as const;
