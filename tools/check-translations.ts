// Compares the messages of the launcher with what says them and with their translations. A message without a translation is
// listed; people read it in English. A message that nothing says, and a stale translation, are errors.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { networkDescriptions, type Operation, operations } from "../contract/src/index.ts";
import { englishTemplates } from "../contract/src/messages/index.ts";
import { networks } from "../launcher/src/social/networks/networks.ts";
import { report, repositoryRoot } from "./check/findings.ts";
import { isTest, sourcesIn } from "./check/sources.ts";

type Texts = Readonly<Record<string, string>>;
type Catalogue = { readonly path: string; readonly english: Texts; readonly other: Texts };

export type Findings = { readonly untranslated: readonly string[]; readonly wrong: readonly string[] };

const placeholders = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/gu))].toSorted().join();

/** `english`: texts by code, or by themselves where the text is its own code. */
export function compareTexts({ path, english, other }: Catalogue): Findings {
  const codes = Object.keys(english);
  return {
    untranslated: codes
      .filter((code) => other[code] === undefined)
      .map((code) => `${path}: no translation of ${code}: ${english[code]}`),
    wrong: [
      ...Object.keys(other)
        .filter((code) => english[code] === undefined)
        .map((code) => `${path}: translates ${code}, which nothing says`),
      ...codes
        .filter((code) => other[code] !== undefined && placeholders(other[code]) !== placeholders(english[code] ?? ""))
        .map((code) => `${path}: the translation of ${code} has other values in it: ${other[code]}`),
    ],
  };
}

/** The codes of `english` that no source says. */
export const unusedCodes = (english: Texts, sources: readonly string[]): string[] => {
  const said = new Set(sources.flatMap((text) => text.match(/(?<=")[a-z]\w*\.\w+(?=")/gu) ?? []));
  return Object.keys(english).filter((code) => !said.has(code));
};

type Described = { readonly description?: string; readonly [member: string]: unknown };

/** Descriptions that errors quote for invalid members; see launcher/src/http/validation.ts. Of an enum it quotes the values. */
function descriptionsIn(schema: Described): string[] {
  const inside = ["properties", "patternProperties"].flatMap((member) =>
    Object.values((schema[member] as object | undefined) ?? {}),
  );
  const items = schema.items === undefined ? [] : [schema.items];
  return [
    ...(schema.description === undefined || schema.enum !== undefined ? [] : [schema.description]),
    ...[...inside, ...items].flatMap((each) => descriptionsIn(each as Described)),
  ];
}

/** Operations whose errors no person sees. */
const asksNoPerson = new Set(["reportRun", "openSignInSession"]);

/** The descriptions that an error may quote. Each is its own code. */
export function quotedDescriptions(): Texts {
  const bodies = (operations as readonly Operation[]).filter(
    ({ id, body }) => body !== undefined && !asksNoPerson.has(id),
  );
  const members = bodies.flatMap(({ body }) => Object.values((body as { properties?: object }).properties ?? {}));
  const descriptions = members.flatMap((each) => descriptionsIn(each as Described));
  return Object.fromEntries(descriptions.map((text) => [text, text]));
}

if (import.meta.main) {
  const textsOf = (path: string): Texts => JSON.parse(readFileSync(join(repositoryRoot, path), "utf8"));
  const folder = "contract/src/messages";
  const sources = ["launcher/src", "contract/src"].flatMap((root) =>
    sourcesIn(join(repositoryRoot, root))
      .filter(({ path }) => !isTest(path) && !(path.startsWith("messages/") && path !== "messages/index.ts"))
      .map(({ text }) => text),
  );
  const ofNetworks = textsOf(`${folder}/networks.ja.json`);
  const textsOfNetworks = Object.values(networkDescriptions).flatMap(
    // A name such as Bluesky is the same in every language, another has a translation.
    ({ name, title = name, about, testSays = about, fields }) => [
      ...[name, title].filter((text) => ofNetworks[text] !== undefined),
      ...[about, testSays, ...fields.flatMap(({ label, help }) => [label, help])],
    ],
  );
  const found = [
    { path: `${folder}/ja.json`, english: englishTemplates, other: textsOf(`${folder}/ja.json`) },
    {
      path: `${folder}/descriptions.ja.json`,
      english: quotedDescriptions(),
      other: textsOf(`${folder}/descriptions.ja.json`),
    },
    {
      path: `${folder}/networks.ja.json`,
      english: Object.assign(
        Object.fromEntries(textsOfNetworks.map((text) => [text, text])),
        ...Object.values(networks).map(({ messages }) => messages),
      ),
      other: ofNetworks,
    },
  ].map(compareTexts);
  for (const line of found.flatMap(({ untranslated }) => untranslated)) console.log(line);
  report([
    ...found.flatMap(({ wrong }) => wrong),
    ...unusedCodes(englishTemplates, sources).map((code) => `${folder}: nothing says ${code}`),
  ]);
}
