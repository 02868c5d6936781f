// How a game is started, as a person writes it down. Pure.
import type { GameCommand } from "@kit/contract";

export type CommandFields = { readonly program: string; readonly words: string; readonly folder: string };

export const fieldsOf = (command: GameCommand | null): CommandFields => ({
  program: command?.program ?? "",
  words: command?.arguments.join("\n") ?? "",
  folder: command?.folder ?? "",
});

/** A path that was copied out of a file manager may come in quotes. */
const pathIn = (typed: string) => typed.trim().replace(/^"(.*)"$/u, "$1");

/** Where the program lies, unless another folder is named. */
export const folderOf = (program: string): string => {
  const path = pathIn(program);
  const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  // The root of a disk keeps its slash.
  return end < 0 ? "" : path.slice(0, end === 0 || /^[A-Za-z]:$/u.test(path.slice(0, end)) ? end + 1 : end);
};

/** Null while no program is named. A line is a word, spaces and all. */
export function commandIn({ program, words, folder }: CommandFields): GameCommand | null {
  const path = pathIn(program);
  if (path === "") return null;
  const lines = words.split(/\r?\n/u).filter((line) => line !== "");
  return { program: path, arguments: lines, folder: pathIn(folder) || folderOf(path) };
}
