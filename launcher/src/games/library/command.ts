// How a game is started: what a person gives is looked at before it is kept and before it is run; what was seen is only proposed.
import { access, constants, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, sep } from "node:path";
import { type FieldError, type GameCommand, KitError } from "@kit/contract";

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function faultOf(program: string): Promise<string | undefined> {
  const found = await stat(program).catch(() => undefined);
  if (found === undefined) return `there is no file ${program}`;
  if (!found.isFile()) return `${program} is no file`;
  const canRun = await access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
  return canRun ? undefined : `${program} is no program: it may not be run`;
}

/** What is wrong with it now; empty where it can be started. A NUL would end a word early for the system. */
async function faultsOf({ program, arguments: words, folder }: GameCommand): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  const add = (path: string, message: string | undefined) => message !== undefined && errors.push({ path, message });
  if ([program, folder, ...words].some((word) => word.includes("\0")))
    add("/command", "a NUL can be in no path or word");
  else {
    add("/command/program", isAbsolute(program) ? await faultOf(program) : "an absolute path was expected");
    if (!isAbsolute(folder)) add("/command/folder", "an absolute path was expected");
    else if (!(await isFolder(folder))) add("/command/folder", `there is no folder ${folder}`);
  }
  return errors;
}

/** Throws KitError payload_invalid, naming each part that is not there any more. */
export async function assertStartable(command: GameCommand): Promise<void> {
  const faults = await faultsOf(command);
  if (faults.length === 0) return;
  throw new KitError("payload_invalid", `${faults.map(({ message }) => message).join("; ")}.`, faults);
}

/** Places whose files go by themselves, or that anybody may fill. */
const passing = [tmpdir(), "/tmp", "/var/tmp", "/dev", "/proc", "/run", "/memfd:"];
const passes = (path: string) => passing.some((place) => path === place || path.startsWith(place + sep));

/** Whether a program that was seen may be proposed: it is still there, and lies where programs stay. */
export async function isProposable(command: GameCommand): Promise<boolean> {
  if (passes(command.program) || passes(command.folder)) return false;
  return (await faultsOf(command)).length === 0;
}
