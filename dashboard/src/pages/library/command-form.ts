// Converts the command that starts a game to form fields, and back.
import type { GameCommand } from "@kit/contract";

export type CommandFields = { readonly program: string; readonly argumentLines: string; readonly folder: string };

export const toCommandFields = (command: GameCommand | null): CommandFields => ({
  program: command?.program ?? "",
  argumentLines: command?.arguments.join("\n") ?? "",
  folder: command?.folder ?? "",
});

/** Removes the quotes with which file managers copy a path. */
const cleanPath = (typed: string) => typed.trim().replace(/^"(.*)"$/u, "$1");

/** Returns the folder that contains the program. It is the working folder unless a person enters another one. */
export const programFolder = (program: string): string => {
  const path = cleanPath(program);
  const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  // If the program is directly in a root folder, that folder's path keeps its slash.
  return end < 0 ? "" : path.slice(0, end === 0 || /^[A-Za-z]:$/u.test(path.slice(0, end)) ? end + 1 : end);
};

/** Returns the command, or null if no program is given. Each line is one argument, with all its spaces. */
export function parseCommand({ program, argumentLines: words, folder }: CommandFields): GameCommand | null {
  const path = cleanPath(program);
  if (path === "") return null;
  const lines = words.split(/\r?\n/u).filter((line) => line !== "");
  return { program: path, arguments: lines, folder: cleanPath(folder) || programFolder(path) };
}
