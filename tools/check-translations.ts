// Compares the translations of the launcher's sentences (dashboard/src/language/launcher.ja.json, and a network's own in its
// folder) with its sources. A stale translation is an error. A sentence without a translation is listed; pages show it in English.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "../contract/src/index.ts";
import { report, repositoryRoot } from "./check/findings.ts";
import { isTest, type Source, sourcesIn } from "./check/sources.ts";
import { filesNotShown, textsNotShown } from "./check-translations/not-shown.ts";
import { isSentence, textsIn } from "./check-translations/sentences.ts";

const language = "dashboard/src/language";
const catalogueFile = `${language}/launcher.ja.json`;
/** Where a sentence of this file is translated. */
function catalogueFor(path: string): string {
  const [network] = /^launcher\/src\/social\/networks\/\w+\//u.exec(path) ?? [];
  return network === undefined ? catalogueFile : `${network}ja.json`;
}

type Described = { readonly description?: string; readonly [member: string]: unknown };
/** Descriptions that error responses quote for invalid members; see launcher/src/http/validation.ts. Of an enum it quotes the values. */
function descriptionsIn(schema: Described): string[] {
  const inside = ["properties", "patternProperties"].flatMap((member) =>
    Object.values((schema[member] as object) ?? {}),
  );
  const items = schema.items === undefined ? [] : [schema.items];
  return [
    ...(schema.description === undefined || schema.enum !== undefined ? [] : [schema.description]),
    ...[...inside, ...items].flatMap((each) => descriptionsIn(each as Described)),
  ];
}

/** Operations whose errors no page shows. */
const asksNoPage = new Set(["recordRun", "openSession"]);
const bodies = Object.values(operations).flatMap((each) =>
  "body" in each && !asksNoPage.has(each.id) ? [each.body] : [],
);
const described = bodies.flatMap((body) => Object.values((body as { properties?: object }).properties ?? {}));

/** Normalises a sentence like the dashboard does: ignores placeholder names, and differences at the start and end. */
const form = (text: string) =>
  text
    .replace(/\{\{\w+\}\}/gu, "{{}}")
    .replace(/^[;,:]? |[;,] $|\.? ?$/gu, "")
    .replace(/^./u, (first) => first.toLowerCase());

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
/** A translation may cover one case of a sentence, e.g. `its clip …` for `its {{attach}} …`. */
const cases = (text: string) => new RegExp(`^${form(text).split("{{}}").map(escaped).join("(.*)")}$`, "u");

export type Differences = {
  /** Sentences without a translation, one per line. */
  readonly untranslated: readonly string[];
  /** Translations whose sentence no longer exists, one per line. */
  readonly stale: readonly string[];
};

export function compareCatalogue(
  sources: readonly Source[],
  keys: readonly string[],
  more: readonly string[] = [],
): Differences {
  const known = new Set(keys.map(form));
  const texts = sources.flatMap((source) =>
    textsIn(source).map((text) => ({ path: source.path, text, isSaid: isSaid(source.path, text) })),
  );
  const said = [...texts, ...more.map((text) => ({ path: "contract", text, isSaid: text.includes(" ") }))];
  const forms = new Set(said.map(({ text }) => form(text)));
  const ways = said.filter(({ text }) => text.includes("{{") && isSentence(text)).map(({ text }) => cases(text));
  const isOld = (key: string) => !forms.has(form(key)) && !ways.some((way) => way.test(form(key)));
  const isNew = (text: string) =>
    !known.has(form(text)) && ![...known].some((key) => key !== "{{}}" && cases(text).test(key));
  const untranslated = said.filter(({ isSaid: shown, text }) => shown && isNew(text));
  const lines = untranslated.map(
    ({ path, text }) => `${path}: has no translation in ${catalogueFor(path)}: ${JSON.stringify(text)}`,
  );
  return {
    untranslated: [...new Set(lines)],
    stale: keys.filter(isOld).map((key) => `translated, but the launcher says this no longer: ${JSON.stringify(key)}`),
  };
}

function isSaid(path: string, text: string): boolean {
  const inside = path.replace("launcher/src/", "");
  if (inside === path || filesNotShown.some(({ which }) => which.test(inside))) return false;
  return isSentence(text) && !textsNotShown.some(({ which }) => which.test(text));
}

if (import.meta.main) {
  const sources = ["launcher/src", "contract/src"].flatMap((folder) =>
    sourcesIn(join(repositoryRoot, folder)).map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
  );
  const catalogues = [catalogueFile, `${language}/described.ja.json`];
  const keys = catalogues.flatMap((path) => Object.keys(JSON.parse(readFileSync(join(repositoryRoot, path), "utf8"))));
  const written = sources.filter(({ path }) => !isTest(path));
  const { untranslated, stale } = compareCatalogue(
    written,
    keys,
    described.flatMap((each) => descriptionsIn(each as Described)),
  );
  for (const line of untranslated) console.log(line);
  report(stale);
}
