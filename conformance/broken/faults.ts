// All faults that a binding could have and that a case must find, by name.
import type { Kit } from "../reference/binding.ts";
import type { Game } from "../reference/game.ts";
import { answerFaults } from "./faults/answers.ts";
import { strangerFaults } from "./faults/foreign-server.ts";
import { gameFaults } from "./faults/game.ts";
import { settingsFaults } from "./faults/settings.ts";
import { textFaults } from "./faults/texts.ts";
import { uncaughtFaults } from "./faults/uncaught.ts";
import { wireFaults } from "./faults/wire.ts";

const faults = {
  ...wireFaults,
  ...textFaults,
  ...settingsFaults,
  ...answerFaults,
  ...strangerFaults,
  ...gameFaults,
  ...uncaughtFaults,
};
export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];

/** All faults that can be combined in one binding. */
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
  "reports-when-off",
];

/** Adds the named faults to the reference binding. Throws if a fault does not exist. */
export function breakIn(kit: Kit, game: Game, names: readonly string[]): void {
  for (const name of names) {
    if (!Object.hasOwn(faults, name)) throw new Error(`no fault is called ${name}`);
    faults[name as FaultName](kit, game);
  }
}
