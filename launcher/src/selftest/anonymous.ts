// Takes the names and paths of a person out of what the self-test reports.
import { homedir, hostname, tmpdir, userInfo } from "node:os";

export type PersonalWords = readonly (readonly [word: string, stands: string])[];

/** A shorter name would be part of too many other words. */
const nameCharsMin = 3;
/** Names that say nothing about a person. */
const commonNames = ["root", "user", "admin", "administrator", "localhost", "linux"];

/** What to take out on this computer, the longest first. `folders` are further paths with the word that stands for each. */
export function personalWords(folders: PersonalWords): PersonalWords {
  const names = [
    [userInfo().username, "NAME"],
    [hostname(), "COMPUTER"],
  ] as const;
  return [
    ...folders,
    [homedir(), "~"] as const,
    [tmpdir(), "TEMP"] as const,
    ...names.filter(([name]) => name.length >= nameCharsMin && !commonNames.includes(name.toLowerCase())),
  ]
    .filter(([word]) => word.length > 1)
    .sort(([one], [other]) => other.length - one.length);
}

const escapePattern = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Returns the text without these words, also where they are written in another case or as a file URL. */
export const withoutPersonalWords = (text: string, words: PersonalWords): string =>
  words.reduce((rest, [word, stands]) => {
    const spellings = [...new Set([word, word.replaceAll("\\", "/"), encodeURI(word.replaceAll("\\", "/"))])];
    return rest.replace(new RegExp(spellings.map(escapePattern).join("|"), "giu"), () => stands);
  }, text);
