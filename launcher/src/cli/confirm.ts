// Asks for confirmation before a change that is hard or impossible to undo.
import { createInterface } from "node:readline/promises";
import { InvalidSetting } from "../config.ts";
import { print } from "./output.ts";

/** Prints what will happen and asks. Throws InvalidSetting if the answer is no or stdin is not a terminal. */
export async function confirm(sentences: readonly string[], isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return;
  if (!process.stdin.isTTY) {
    throw new InvalidSetting(
      `${sentences.join(" ")} Nothing was changed, because there is no terminal to ask on. Add --yes to confirm.`,
    );
  }
  for (const sentence of sentences) print(sentence);
  const line = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new AbortController();
  for (const event of ["SIGINT", "close"] as const) line.once(event, () => ended.abort());
  const answer = await line.question("Continue? (y/N) ", { signal: ended.signal }).catch(() => "");
  line.removeAllListeners("close");
  line.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new InvalidSetting("Nothing was changed.");
}
