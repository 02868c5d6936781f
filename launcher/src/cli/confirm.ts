// Asks a person before something is done that cannot be undone, or not at once.
import { createInterface } from "node:readline/promises";
import { BadSetting } from "../config.ts";
import { print } from "./output.ts";

/** Says what will be done and asks. Throws BadSetting where nobody can answer, or the answer is no. */
export async function confirm(sentences: readonly string[], isGiven: boolean): Promise<void> {
  if (isGiven) return;
  if (!process.stdin.isTTY) {
    throw new BadSetting(`${sentences.join(" ")} Nothing was changed: nobody can be asked here. Give --yes to do it.`);
  }
  for (const sentence of sentences) print(sentence);
  const line = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new AbortController();
  for (const event of ["SIGINT", "close"] as const) line.once(event, () => ended.abort());
  const answer = await line.question("Do it? (y/N) ", { signal: ended.signal }).catch(() => "");
  line.removeAllListeners("close");
  line.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new BadSetting("Nothing was changed.");
}
