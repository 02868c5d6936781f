// Asks a person for values, one after the other: never as arguments, which others could read, and hidden while they type
// what nobody may see. A program gives a line each on standard input.
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { BadSetting } from "../config.ts";
import { print, styled } from "./output.ts";

export type Question = {
  readonly name: string;
  /** Where the value is found. */
  readonly help: string;
  readonly prompt: string;
  readonly secret: boolean;
};

const nowhere = () =>
  new Writable({
    write: (_chunk, _encoding, done) => done(),
  });

async function answerOf({ help, prompt, secret }: Question): Promise<string> {
  print(styled("dim", help));
  const output = secret ? nowhere() : process.stdout;
  if (secret) process.stdout.write(prompt);
  const line = createInterface({ input: process.stdin, output, terminal: true });
  const ending = new AbortController();
  line.once("SIGINT", () => ending.abort());
  line.once("close", () => ending.abort());
  try {
    return await line.question(secret ? "" : prompt, { signal: ending.signal });
  } catch {
    throw new BadSetting("Nothing was changed.");
  } finally {
    if (secret) print("");
    line.removeAllListeners("close");
    line.close();
  }
}

async function linesOfInput(): Promise<string[]> {
  const text = Buffer.concat(await process.stdin.toArray()).toString();
  return text.split(/\r?\n/);
}

/** By name, without blanks around them; what was left empty is left out. */
export async function askFor(questions: readonly Question[]): Promise<Record<string, string>> {
  const lines = process.stdin.isTTY ? undefined : await linesOfInput();
  const answers: [string, string][] = [];
  for (const [index, question] of questions.entries()) {
    const answer = (lines === undefined ? await answerOf(question) : (lines[index] ?? "")).trim();
    if (answer !== "") answers.push([question.name, answer]);
  }
  return Object.fromEntries(answers);
}
