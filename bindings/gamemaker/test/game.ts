// Loads the project for the tests: the real kit_sdk.gml, translated once.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "./runtime/clocks.ts";
import type { Send } from "./runtime/http.ts";
import { type Machine, startMachine } from "./runtime/machine.ts";
import type { Functions } from "./runtime/texts.ts";
import { GmlStruct } from "./runtime/values.ts";
import { loadBuiltIns } from "./translation/parser.ts";
import { loadTranslator } from "./translation/translate.ts";

export const projectDir = join(import.meta.dirname, "../project");
export const readProject = (path: string): string => readFileSync(join(projectDir, path), "utf8");
export const sdkPath = "scripts/kit_sdk/kit_sdk.gml";

export type GameNeeds = {
  readonly send: Send;
  readonly clock?: Clock;
  readonly version?: string;
  readonly functions?: Functions;
  readonly isBrowser?: boolean;
};
export type StartGame = (needs: GameNeeds) => Machine;

/** Loads the parser, the list of built-ins and the translation once. Each game is then started from them. */
export async function loadGame(events: Readonly<Record<string, string>> = {}): Promise<StartGame> {
  const translate = await loadTranslator();
  const translated = translate({ scripts: [readProject(sdkPath)], events });
  const builtIns = loadBuiltIns();
  return (needs) => startMachine(translated, { builtIns, ...needs });
}

export const struct = (members: Readonly<Record<string, unknown>>): GmlStruct => new GmlStruct(Object.entries(members));
