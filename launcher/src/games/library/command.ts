// Checks the command that starts a game: before it is saved, before it is run, and before it is proposed.
import { access, constants, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, sep } from "node:path";
import { type FieldError, type GameCommand, KitError } from "@kit/contract";

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function findProgramProblem(program: string): Promise<string | undefined> {
  const found = await stat(program).catch(() => undefined);
  if (found === undefined) return `there is no file ${program}`;
  if (!found.isFile()) return `${program} is not a file`;
  const canRun = await access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
  return canRun ? undefined : `${program} is not executable`;
}

/** Returns the problems of a command, or none if it can be started. The system would cut an argument at a NUL. */
async function findProblems({ program, arguments: words, folder }: GameCommand): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  const add = (path: string, message: string | undefined) => message !== undefined && errors.push({ path, message });
  if ([program, folder, ...words].some((word) => word.includes("\0")))
    add("/command", "a path or argument must not contain a NUL");
  else {
    add("/command/program", isAbsolute(program) ? await findProgramProblem(program) : "an absolute path was expected");
    if (!isAbsolute(folder)) add("/command/folder", "an absolute path was expected");
    else if (!(await isFolder(folder))) add("/command/folder", `there is no folder ${folder}`);
  }
  return errors;
}

/** Throws KitError payload_invalid, which names every problem of the command. */
export async function assertStartable(command: GameCommand): Promise<void> {
  const problems = await findProblems(command);
  if (problems.length === 0) return;
  throw new KitError("payload_invalid", `${problems.map(({ message }) => message).join("; ")}.`, problems);
}

/** Folders whose files are deleted automatically, or to which everybody can write. */
const temporaryFolders = [tmpdir(), "/tmp", "/var/tmp", "/dev", "/proc", "/run", "/memfd:"];
const isTemporary = (path: string) =>
  temporaryFolders.some((folder) => path === folder || path.startsWith(folder + sep));

/** Returns true if a command may be proposed: it can be started, and its files are not in a temporary folder. */
export async function isProposable(command: GameCommand): Promise<boolean> {
  if (isTemporary(command.program) || isTemporary(command.folder)) return false;
  return (await findProblems(command)).length === 0;
}
