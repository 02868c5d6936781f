// The commands of `kit`, in the order of `kit --help`.
import { apiCommand } from "./commands/api.ts";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { showCommand, tailCommand } from "./commands/events.ts";
import { fireCommand } from "./commands/fire.ts";
import { licencesCommand } from "./commands/licences.ts";
import { openCommand } from "./commands/open.ts";
import { restoreCommand } from "./commands/restore.ts";
import { rulesCommand } from "./commands/rules.ts";
import { runCommand } from "./commands/run.ts";
import { markCommand, saveCommand } from "./commands/save.ts";
import { startCommand, stopCommand } from "./commands/start.ts";

export const commands = [
  startCommand,
  stopCommand,
  openCommand,
  demoCommand,
  saveCommand,
  markCommand,
  runCommand,
  fireCommand,
  tailCommand,
  showCommand,
  rulesCommand,
  apiCommand,
  restoreCommand,
  doctorCommand,
  licencesCommand,
];
