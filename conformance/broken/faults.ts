// Everything a binding could do wrong that a case has to find, each fault by its name.
import type { Kit } from "../reference/binding.ts";
import type { Game } from "../reference/game.ts";
import { answerFaults } from "./faults/answers.ts";
import { strangerFaults } from "./faults/foreign-server.ts";
import { gameFaults } from "./faults/game.ts";
import { settingsFaults } from "./faults/settings.ts";
import { textFaults } from "./faults/texts.ts";
import { wireFaults } from "./faults/wire.ts";

const faults = { ...wireFaults, ...textFaults, ...settingsFaults, ...answerFaults, ...strangerFaults, ...gameFaults };
export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];

/** Wrong in every way that leaves room for the others. */
export const broken: readonly FaultName[] = [
  "twice",
  "wrong-path",
  "get-method",
  "charset",
  "cookie",
  "extra-member",
  "missing-stack",
  "other-order",
  "local-time",
  "raw-json",
  "trims",
  "sends-empties",
  "ignores-switches",
  "changes-address",
  "starts-by-itself",
  "mends-addresses",
  "follows-redirects",
  "retries",
  "shows-errors",
  "limit-of-ten",
  "freezes",
  "throws",
];

/** Throws when there is no such fault. */
export function breakIn(kit: Kit, game: Game, names: readonly string[]): void {
  for (const name of names) {
    if (!Object.hasOwn(faults, name)) throw new Error(`no fault is called ${name}`);
    faults[name as FaultName](kit, game);
  }
}
