// Asks the user at the terminal.
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { InvalidSetting } from "../config.ts";
import { print } from "./output.ts";
import { terminal } from "./terminal.ts";

/** Asks one question. A secret answer is not shown while it is typed. Returns undefined if the person ends the input. */
export async function askQuestion(
  prompt: string,
  { isSecret = false, output = terminal().stdout }: { isSecret?: boolean; output?: NodeJS.WritableStream } = {},
): Promise<string | undefined> {
  const { stdin } = terminal();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isSecret) output.write(prompt);
  const line = createInterface({
    input: stdin,
    output: isSecret ? nowhere : output,
    terminal: stdin.isTTY === true,
  });
  const ended = new AbortController();
  for (const event of ["SIGINT", "close"] as const) line.once(event, () => ended.abort());
  const answer = await line.question(isSecret ? "" : prompt, { signal: ended.signal }).catch(() => undefined);
  if (isSecret) output.write("\n");
  line.removeAllListeners("close");
  line.close();
  return answer?.trim();
}

const askYesNo = async (question: string): Promise<boolean> =>
  /^y(es)?$/i.test((await askQuestion(`${question} (y/N) `)) ?? "");

/**
 * Says what will happen, and asks the person to agree. Throws InvalidSetting if they do not, or if stdin is no terminal. Asks
 * nothing if `isConfirmed`.
 */
export async function askConfirmation(sentences: readonly string[], isConfirmed: boolean | undefined): Promise<void> {
  if (isConfirmed) return;
  if (!terminal().stdin.isTTY) {
    throw new InvalidSetting(
      `${sentences.join(" ")} Nothing was changed, because there is no terminal to ask on. Add --yes to confirm.`,
    );
  }
  for (const sentence of sentences) print(sentence);
  if (!(await askYesNo("Continue?"))) throw new InvalidSetting("Nothing was changed.");
}
