// Which sockets a process holds, by its open files in /proc.
import { readdirSync, readlinkSync } from "node:fs";
import { attempt } from "./attempt.ts";

/** Processes whose files are remembered, and files of each. */
const processesMax = 16;
const filesMax = 16;

/** Takes what the process holds out of `sockets`, and returns it. */
export type TakeHeld = (pid: string, sockets: Set<string>) => readonly string[];

/**
 * A process mostly gives a new connection the number of one that it closed, and the lowest of those: they are looked at first and
 * upwards, as each look costs, most of all one at a number that is free.
 */
export function createTakeHeld(): TakeHeld {
  const usual = new Map<string, readonly string[]>();
  const remember = (pid: string, file: string) => {
    const others = (usual.get(pid) ?? []).filter((other) => other !== file);
    usual.delete(pid);
    usual.set(pid, [file, ...others].slice(0, filesMax));
    const [oldest] = usual.keys();
    if (usual.size > processesMax && oldest !== undefined) usual.delete(oldest);
  };
  return (pid, sockets) => {
    const held: string[] = [];
    const lookAt = (files: Iterable<string>) => {
      for (const file of files) {
        if (sockets.size === 0) return;
        const name = attempt(() => readlinkSync(`/proc/${pid}/fd/${file}`)) ?? "";
        if (!sockets.delete(name)) continue;
        held.push(name);
        remember(pid, file);
      }
    };
    lookAt((usual.get(pid) ?? []).toSorted((one, other) => Number(one) - Number(other)));
    if (sockets.size > 0) lookAt(attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []);
    return held;
  };
}
