// Tests that everything the launcher says to people has a translation with the same values, and that no message is left over.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { networkDescriptions, type Operation, operations } from "@kit/contract";
import { test } from "vitest";
import { englishTemplates } from "../../contract/src/messages/index.ts";
import { networks } from "../src/social/networks/networks.ts";

type Texts = Readonly<Record<string, string>>;

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const catalogue = (path: string): Texts => JSON.parse(read(path));
const byItself = (texts: readonly string[]): Texts => Object.fromEntries(texts.map((text) => [text, text]));
const valuesIn = (texts: Texts) =>
  Object.fromEntries(
    Object.entries(texts).map(([code, text]) => [code, [...new Set(text.match(/\{\{\w+\}\}/gu))].toSorted()]),
  );

/** The descriptions that an error quotes for an invalid member; of an enum it quotes the values. */
function descriptionsIn(schema: Readonly<Record<string, unknown>>): string[] {
  const { description, enum: values, properties, patternProperties, items } = schema;
  const inside = [...Object.values({ ...(properties as object), ...(patternProperties as object) }), items];
  return [
    ...(typeof description === "string" && values === undefined ? [description] : []),
    ...inside.flatMap((each) => (each === undefined ? [] : descriptionsIn(each as Readonly<Record<string, unknown>>))),
  ];
}

test("every message of the launcher has a translation with the same values", () => {
  assert.deepEqual(valuesIn(catalogue("contract/src/messages/ja.json")), valuesIn(englishTemplates));
});

test("every description that an error quotes has a translation", () => {
  /** No person sees the errors of these. */
  const silent = ["reportRun", "openSignInSession"];
  const asked = (operations as readonly Operation[]).filter(({ id }) => !silent.includes(id));
  const members = asked.flatMap(({ body }) =>
    Object.values((body as { properties?: object } | undefined)?.properties ?? {}),
  );
  const quoted = members.flatMap((each) => descriptionsIn(each));
  assert.deepEqual(valuesIn(catalogue("contract/src/messages/descriptions.ja.json")), valuesIn(byItself(quoted)));
});

test("every text of the networks has a translation with the same values", () => {
  const translations = catalogue("contract/src/messages/networks.ja.json");
  const texts = Object.values(networkDescriptions).flatMap(
    ({ name, title = name, about, testSays = about, fields }) => [
      // A name such as Bluesky is the same in every language.
      ...[name, title].filter((text) => text in translations),
      ...[about, testSays, ...fields.flatMap(({ label, help }) => [label, help])],
    ],
  );
  const messages = Object.values(networks).map((network) => network.messages);
  assert.deepEqual(valuesIn(translations), valuesIn(Object.assign(byItself(texts), ...messages)));
});

test("every message is said somewhere", () => {
  const paths = globSync("{launcher,contract}/src/**/*.ts", { cwd: root });
  const sources = paths.filter((path) => !/\.test\.|[\\/]test[\\/]|src[\\/]messages[\\/](?!index)/.test(path));
  const said = new Set(sources.flatMap((path) => read(path).match(/(?<=")[a-z]\w*\.\w+(?=")/gu) ?? []));
  const unsaid = Object.keys(englishTemplates).filter((code) => !said.has(code));
  assert.deepEqual(unsaid, []);
});
