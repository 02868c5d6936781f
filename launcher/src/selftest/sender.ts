// The small program of the self-test that sends an event like a game: this Kit once more, in a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { type Acknowledgement, ingestOperations } from "@kit/contract";

export const selftestGame = "selftest";
export const selftestEvent = `${selftestGame}_moment`;

const answersWithinMs = 30_000;

/** Runs in the program: sends the event, hands over its id, and goes on until standard input ends. */
export async function sendAsGame(port: number, print: (id: string) => void): Promise<void> {
  const address = `http://127.0.0.1:${port}${ingestOperations.recording.path}`;
  const body = JSON.stringify({ eventId: selftestEvent, timestamp: new Date().toISOString() });
  const answer = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { id } = (await answer.json()) as Acknowledgement;
  print(id);
  process.stdin.resume();
  await once(process.stdin, "end");
}

export type Sender = { readonly event: string; readonly pid: number; close(): Promise<void> };

/** Starts the program. Resolves when the launcher has accepted its event. */
export async function startSender(ownCommand: readonly string[], port: number): Promise<Sender> {
  const [program = "", ...words] = ownCommand;
  const child = spawn(program, [...words, "selftest", "--as-game", String(port)], {
    stdio: ["pipe", "pipe", "ignore"],
    // Kit names no program that runs in a temporary folder.
    cwd: dirname(process.execPath),
    windowsHide: true,
  });
  const ended = once(child, "exit");
  const line = once(createInterface({ input: child.stdout }), "line", { signal: AbortSignal.timeout(answersWithinMs) });
  const close = async () => {
    child.stdin.end();
    child.kill();
    await ended;
  };
  try {
    const [event] = await Promise.race([
      line,
      ended.then(([code]) => Promise.reject(new Error(`the program ended with ${code}`))),
    ]);
    return { event: event as string, pid: child.pid ?? 0, close };
  } catch (error) {
    await close();
    throw error;
  }
}
