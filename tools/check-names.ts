// Reports vague file and folder names, and names that use words retired by the glossary (docs/glossary.md).
import { parseSync } from "oxc-parser";
import { report, repositoryRoot } from "./check/findings.ts";
import { isTest, pathsIn, type Source, sourcesIn } from "./check/sources.ts";

const vague = /^(utils?|helpers?|managers?|services?|common|misc)$/;

/** Allowed names that an external interface or an engine prescribes. */
const given: readonly { readonly name: RegExp; readonly reason: string }[] = [
  { name: /^(Recording|Monitor|Social)Service\b/, reason: "the interface names these classes" },
  { name: /^(recording|monitor|social)_service\b/, reason: "the same classes as Godot writes file names" },
];

const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** All vague names below `root`, one per line. */
export function vagueNamesBelow(root: string): string[] {
  return pathsIn(root).flatMap(({ path, isFolder }) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const word = wordsOf(name).find((candidate) => vague.test(candidate));
    if (!word || given.some((entry) => entry.name.test(name))) return [];
    return [`${path}${isFolder ? "/" : ""}: "${word}" says nothing; name it after what it holds`];
  });
}

/** Retired words with their replacements. */
const retired: Readonly<Record<string, string>> = {
  arrows: "wiring or layers",
  asides: "quarantine or previous data",
  beside: "nearby",
  climb: "recovery",
  crowd: "load",
  does: "the action",
  doing: "commands",
  entrance: "admission",
  filing: "assignment",
  firsts: "first of its kind",
  holdings: "usage",
  intake: "planner",
  joined: "concat, join, merge or add",
  keeping: "data or storage",
  kept: "stored",
  letterbox: "webhook",
  look: "label, check, probe or scan",
  looked: "checked, probed or scanned",
  looks: "labels",
  making: "clip job",
  manieth: "occurrence",
  met: "known",
  reach: "outbound",
  relay: "switch",
  sitting: "session",
  standing: "known issues or identity",
  strangers: "new issues",
  told: "reported, translated or sent",
  turns: "serial queue",
  unlucky: "failure",
  unmet: "pending",
};

const inTestsOrBuilt = (path: string) => isTest(path) || path.includes("/generated/") || path.startsWith("bindings/");

function exportedNamesIn({ path, text }: Source): string[] {
  return parseSync(path, text).program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration" || !statement.declaration) return [];
    const { declaration } = statement;
    if ("id" in declaration && declaration.id && "name" in declaration.id) return [declaration.id.name];
    if (!("declarations" in declaration)) return [];
    return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
  });
}

/** All retired words in paths and exported names, one per line. */
export function retiredWordsIn(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !inTestsOrBuilt(path))
    .flatMap((source) => {
      const names = [...source.path.replace(/\.\w+$/, "").split("/"), ...exportedNamesIn(source)];
      return names.flatMap((name) =>
        wordsOf(name).flatMap((word) =>
          Object.hasOwn(retired, word) ? [`${source.path}: "${word}" in ${name} is retired; say ${retired[word]}`] : [],
        ),
      );
    });
}

if (import.meta.main) report([...vagueNamesBelow(repositoryRoot), ...retiredWordsIn(sourcesIn(repositoryRoot))]);
