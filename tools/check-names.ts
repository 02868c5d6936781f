// No file or folder hides behind a word that says nothing about what is in it.
import { report, repositoryRoot } from "./check/findings.ts";
import { pathsIn } from "./check/sources.ts";

const vague = /^(utils?|helpers?|managers?|services?|common|misc)$/;

/** Names that others chose: what the interface or an engine calls a thing is called so here too. */
const given: readonly { readonly name: RegExp; readonly reason: string }[] = [
  { name: /^(Recording|Monitor|Social)Service\b/, reason: "the interface names these classes" },
  { name: /^(recording|monitor|social)_service\b/, reason: "the same classes as Godot writes file names" },
];

const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** Every vague name in the tree below `root`, a line each. */
export function vagueNamesBelow(root: string): string[] {
  return pathsIn(root).flatMap(({ path, isFolder }) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const word = wordsOf(name).find((candidate) => vague.test(candidate));
    if (!word || given.some((entry) => entry.name.test(name))) return [];
    return [`${path}${isFolder ? "/" : ""}: "${word}" says nothing; name it after what it holds`];
  });
}

if (import.meta.main) report(vagueNamesBelow(repositoryRoot));
