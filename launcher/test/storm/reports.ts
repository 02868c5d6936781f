// Support: the reports of a storm: identical ones, and ones that differ in numbers.
import { timestamp } from "../support/own-launcher.ts";

/** Makes the body of the n-th report, from 0. */
export type Report = (n: number) => string;

const stack = [
  "Error: it happened in a frame",
  "    at Window_Battle.update (rmmz_windows.js:4312:17)",
  "    at Scene_Battle.updateChildren (rmmz_core.js:2104:19)",
  "    at Scene_Battle.update (rmmz_scenes.js:2561:31)",
  "    at SceneManager.updateScene (rmmz_managers.js:2211:21)",
].join("\n");

const bodyOf = (message: string) => JSON.stringify({ message, stackTrace: stack, timestamp: timestamp() });

export const kindsMax = 50;
const syllables = [..."bdfgklmnprstvzhj"].flatMap((consonant) => [`${consonant}a`, `${consonant}o`]);
/** The number of words with four syllables. */
const wordsMax = syllables.length ** 4;

/** A word without digits, different for each number below a million, so that no rule groups two of them. */
export function wordOf(n: number): string {
  // An odd factor and an offset reach each place once, and put neighbours far apart.
  let place = (n * 663_797 + 271_828) % wordsMax;
  let word = "";
  for (let index = 0; index < 4; index += 1) {
    word += syllables[place % syllables.length];
    place = Math.floor(place / syllables.length);
  }
  return word;
}

/** The report of a game that throws in every frame. */
const sameReport: Report = () => bodyOf("Cannot read property 'hp' of null");
const kindReport: Report = (n) => bodyOf(`The ${wordOf(n % kindsMax)} took ${n} points of damage`);

/** Every other report is the same one, and the rest are of fifty kinds. */
export const stormReport: Report = (n) => (n % 2 === 0 ? sameReport(n) : kindReport(Math.floor(n / 2)));

export const rareTitle = (kind: number): string => `The rare ${wordOf(900_000 + kind)} broke`;
export const rareReport = (kind: number): string => bodyOf(rareTitle(kind));
