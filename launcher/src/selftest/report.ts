// The result of the self-test as one HTML page with pictures, to be attached to an issue, without names and paths of a person.

import { homedir, hostname, tmpdir, userInfo } from "node:os";
import type { CheckResult, Figures } from "./check.ts";

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

/** Returns the text without these words, also where they are written in another case, in JSON or as a file URL. */
export const withoutPersonalWords = (text: string, words: PersonalWords): string =>
  words.reduce((rest, [word, stands]) => {
    const withSlashes = word.replaceAll("\\", "/");
    const inJson = JSON.stringify(word).slice(1, -1);
    const spellings = [...new Set([word, inJson, withSlashes, encodeURI(withSlashes)])];
    return rest.replace(new RegExp(spellings.map(escapePattern).join("|"), "giu"), () => stands);
  }, text);

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Returns `framesPerSecond: 30` as `frames per second: 30`. */
export const figuresInWords = (figures: Figures): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name.replaceAll(/(?<=[a-z])[A-Z]/g, (found) => ` ${found.toLowerCase()}`)}: ${value}`)
    .join(", ");

export function countInWords(results: readonly CheckResult[]): string {
  const count = (wanted: CheckResult["status"]) => results.filter(({ status }) => status === wanted).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${count("not possible here")} not possible here`;
}

/** What is true if the check passed. */
const meanings: Readonly<Record<string, string>> = {
  session: "You see the desktop that Kit would record.",
  ports: "Kit starts, and answers on this computer.",
  permissions: "No other user can read a new data folder of Kit.",
  clip: "An event becomes a video of the right seconds.",
  sound: "The video has the sound that was played.",
  sender: "Kit finds out which program sent an event.",
  autostart: "Kit can switch its start at sign-in on and off.",
  end: "Kit ends cleanly.",
  "own sound": "Kit records the sound of one program without that of another.",
  encoders: "An encoder makes H.264.",
  notification: "The desktop accepts a notification.",
  hotkey: "Kit notices its hotkey.",
  clipboard: "A file that Kit copies can be pasted.",
  rename: "Kit replaces a file that was in use.",
  "long paths": "Kit can use a file whose path is longer than 260 characters.",
  clocks: "The clocks of this computer agree.",
};
const meaningOf = (id: string) =>
  meanings[id] ?? "This source of pictures records the screen or a window at the right times.";

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8886; padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
small { display: block; font-weight: 400; max-width: 16rem; }
td:nth-child(2) { min-width: 5rem; overflow-wrap: normal; }
.passed { color: light-dark(#176b2c, #6fd08c); }
.failed { color: light-dark(#a3161b, #ff8d8f); font-weight: 600; }
img { display: block; image-rendering: pixelated; margin-top: .5rem; max-width: 100%; width: 30rem; }
`;

function row({ id, status, figures, advice, picture }: CheckResult): string {
  const image =
    picture === undefined
      ? ""
      : `<img alt="The clock that was recorded" src="data:image/png;base64,${picture.toString("base64")}">`;
  const words = [advice, figuresInWords(figures)].filter(Boolean).map(escapeHtml).join("<br>");
  return `<tr><th scope="row">${escapeHtml(id)}<small>${meaningOf(id)}</small></th><td class="${status}">${status}</td><td>${words}${image}</td></tr>`;
}

/** `about` says which Kit and system this is, without a name of a person. */
export const reportPage = (results: readonly CheckResult[], about: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Kit's self-test</title>
<style>${style}</style>
<h1>Kit's self-test</h1>
<p>${escapeHtml(about)}: ${countInWords(results)}</p>
<p>Below each check is what is true if it passed. <em>Not possible here</em> means that the computer lacks what the check needs, so it found out nothing.</p>
<p>The pictures show only the clock that the test itself painted. Kit took the names of the user and of the computer out of this page, unless they have fewer than ${nameCharsMin} letters, and the paths of the user's folders.</p>
<table>
<thead><tr><th scope="col">Check</th><th scope="col">Result</th><th scope="col">Details</th></tr></thead>
<tbody>
${results.map(row).join("\n")}
</tbody>
</table>
</html>
`;
