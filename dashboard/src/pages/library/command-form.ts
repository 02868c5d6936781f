// Converts a game's command to and from the fields of its form.
import type { GameCommand } from "@kit/contract";

export type CommandFields = { readonly program: string; readonly argumentLines: string; readonly folder: string };

export const commandFields = (command: GameCommand | null): CommandFields => ({
  program: command?.program ?? "",
  argumentLines: command?.arguments.join("\n") ?? "",
  folder: command?.folder ?? "",
});

/** File managers copy paths with quotes. */
const cleanPath = (typed: string) => typed.trim().replace(/^"(.*)"$/u, "$1");

/** The program's own folder, used unless another folder is given. */
export const programFolder = (program: string): string => {
  const path = cleanPath(program);
  const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  // The root folder keeps its slash.
  return end < 0 ? "" : path.slice(0, end === 0 || /^[A-Za-z]:$/u.test(path.slice(0, end)) ? end + 1 : end);
};

/** Returns null without a program. Each line is one argument, including its spaces. */
export function parseCommand({ program, argumentLines: words, folder }: CommandFields): GameCommand | null {
  const path = cleanPath(program);
  if (path === "") return null;
  const lines = words.split(/\r?\n/u).filter((line) => line !== "");
  return { program: path, arguments: lines, folder: cleanPath(folder) || programFolder(path) };
}
