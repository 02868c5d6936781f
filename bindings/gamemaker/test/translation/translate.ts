// Translates GML into JavaScript for tests. It is a translation, not the runner: stricter where GML is strict, and silent
// about timing, platforms and the runner's own quirks. What it does not know it refuses.
import { eventCode, namesIn, scriptCode } from "./functions.ts";
import type { World } from "./names.ts";
import { loadBuiltIns, loadParser, type Node } from "./parser.ts";

export type Sources = {
  readonly scripts: readonly string[];
  /** Code of events, by a name of the caller's choice. */
  readonly events?: Readonly<Record<string, string>>;
};

export type Translated = {
  readonly code: string;
  readonly functions: readonly string[];
  readonly events: readonly string[];
};
export type Translator = (sources: Sources) => Translated;

export async function loadTranslator(): Promise<Translator> {
  const parse = await loadParser();
  const builtIns = loadBuiltIns();
  return ({ scripts, events = {} }) => {
    const world: World = { builtIns, scripts: new Set(), macros: new Map() };
    const files: Node[] = scripts.map(parse);
    for (const file of files) namesIn(file, world);
    const bodies = files.map((file) => scriptCode(file, world));
    const listed = Object.entries(events).map(
      ([name, source]) => `${JSON.stringify(name)}:${eventCode(parse(source), world)}`,
    );
    const functions = [...world.scripts];
    const declared = functions.length > 0 ? `let ${functions.map((name) => `gml_${name}`).join(",")};` : "";
    const given = functions.map((name) => `${JSON.stringify(name)}:gml_${name}`);
    const code = `"use strict";${declared}${bodies.join("\n")}\nreturn {functions:{${given.join(",")}},events:{${listed.join(",")}}};`;
    return { code, functions, events: Object.keys(events) };
  };
}
