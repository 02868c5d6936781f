// Reads conformance.json, in which a binding describes its drivers.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { engineNames } from "../../tools/engines/locate.ts";
import { Misunderstood } from "./arguments.ts";
import { misfits, parsedJson } from "./misfits.ts";

export const Driver = Type.Object(
  {
    engine: Type.String(),
    needs: Type.Optional(Type.Array(Type.Enum(engineNames))),
    command: Type.Array(Type.String(), { minItems: 1 }),
    only: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Plays only the cases whose id begins so; the others show nothing of it",
      }),
    ),
    tellsNoErrors: Type.Optional(
      Type.String({ pattern: "\\.$", description: "Why the engine tells nobody of an error that nobody caught" }),
    ),
    followsRedirects: Type.Optional(
      Type.Object(
        { postsPerCallMax: Type.Integer({ minimum: 2 }), because: Type.String({ pattern: "\\.$" }) },
        { additionalProperties: false, description: "The engine follows them and cannot be told not to" },
      ),
    ),
  },
  { additionalProperties: false },
);
export type Driver = Type.Static<typeof Driver>;

const Description = Type.Object(
  {
    binding: Type.String(),
    clockToleranceMs: Type.Integer({ minimum: 0, description: "How far a timestamp may lie from the call" }),
    startsByItself: Type.Optional(Type.Literal(true, { description: "It is initialized before anybody asks for it" })),
    resends: Type.Optional(
      Type.Literal(true, { description: "The engine sends again, by itself, when a used connection breaks" }),
    ),
    noTimeout: Type.Optional(
      Type.Literal(true, { description: "The engine offers none; requests are kept as long as it likes" }),
    ),
    endsAtErrors: Type.Optional(
      Type.Literal(true, { description: "The engine ends the game at the first error that nobody caught" }),
    ),
    build: Type.Optional(
      Type.String({
        minLength: 1,
        description: "The version of the driver's game as its engine knows it, for engines that know one",
      }),
    ),
    drivers: Type.Array(Driver, { minItems: 1 }),
  },
  { additionalProperties: false },
);
export type Binding = Type.Static<typeof Description> & { readonly name: string; readonly folder: string };

const bindingsFolder = resolve(import.meta.dirname, "../../bindings");

// Unity ignores folders whose name ends with ~.
const places = ["conformance.json", "conformance~/conformance.json"];

const descriptionIn = (folder: string) => places.map((place) => join(folder, place)).find((path) => existsSync(path));

export function readBinding(folder: string): Binding {
  const path = descriptionIn(folder);
  if (path === undefined) throw new Misunderstood(`${folder} holds no conformance.json; see conformance/README.md`);
  const parsed = parsedJson(path, readFileSync(path, "utf8"));
  if (!Value.Check(Description, parsed)) throw new Error(`${path}${misfits(Description, parsed)[0]}`);
  return { ...parsed, name: basename(folder), folder: dirname(path) };
}

/** All bindings of this repository, sorted by name. Every folder in bindings/ must be a binding. */
export function allBindings(): Binding[] {
  const folders = readdirSync(bindingsFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const bindings = folders.map(({ name }) => readBinding(join(bindingsFolder, name)));
  return bindings.sort((one, other) => one.binding.localeCompare(other.binding));
}

/** Finds a binding by its name in this repository or by the path of its folder. */
export function bindingNamed(word: string): Binding {
  const here = join(bindingsFolder, word);
  return readBinding(existsSync(here) ? here : resolve(word));
}
