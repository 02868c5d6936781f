// What a person can ask of `npm run bench -- bindings`.
import { parseArgs } from "node:util";
import { type EngineName, engineNames, engines } from "./engines.ts";

export type BindingOptions = {
  readonly engines: readonly EngineName[];
  readonly quick: boolean;
  readonly json: boolean;
};

export const bindingsHelp = `Measures what a call of each binding costs the game, next to an empty call and to what one would write or
install instead, with the launcher present, absent and hung; then a storm of calls under a hung launcher.

  npm run bench -- bindings [options]

  --only A,B   only these engines
  --quick      a few calls without the installed peers: shows that it runs, its figures mean nothing
  --json       print JSON instead of tables
  --help       this text

Engines:
${engineNames.map((name) => `  ${name.padEnd(12)}${engines[name].title}`).join("\n")}

Let nothing else run meanwhile: the figures are of the whole machine.`;

/** Reads the arguments; undefined when help is wanted. Throws with a sentence for a person. */
export function readBindingOptions(words: readonly string[]): BindingOptions | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: "string", default: "" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const only = values.only.split(",").filter((name) => name !== "");
  const unknown = only.find((name) => !engineNames.includes(name as EngineName));
  if (unknown !== undefined) throw new Error(`--only does not know ${unknown}; see --help.`);
  const chosen = only.length > 0 ? engineNames.filter((name) => only.includes(name)) : engineNames;
  return { engines: chosen, quick: values.quick, json: values.json };
}
