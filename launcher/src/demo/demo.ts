// The demo slice: plays the made-up game as a program of its own, once at a time, and says how far it is.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type Demo, type DemoOutcome, type DemoPhase, demoPhases, demoSeconds, KitError } from "@kit/contract";
import type { DemoWebhook } from "./demo-webhook.ts";

type Said = Omit<Demo, "state">;

/** What the made-up game tells of itself, a line of JSON each, as one state. Pure. */
const untold: Said = {
  second: 0,
  seconds: demoSeconds.usual,
  window: false,
  phase: null,
  says: "",
  failed: false,
  outcomes: [],
  session: null,
};

type Line = {
  type?: string;
  seconds?: number;
  second?: number;
  window?: boolean;
  phase?: string;
  says?: string;
  outcomes?: readonly DemoOutcome[];
  session?: string | null;
};

function read(line: string): Line {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

const phaseOf = (name: string | undefined): DemoPhase | null => demoPhases.find((known) => known === name) ?? null;

/** The state after one more line. A line it does not know changes nothing. */
function told(before: Said, line: string): Said {
  const { type, seconds, second, window, phase, says = "", outcomes = [], session = null } = read(line);
  switch (type) {
    case "begins":
      return { ...before, seconds: seconds ?? before.seconds, window: window ?? before.window };
    case "phase":
      return { ...before, phase: phaseOf(phase), says };
    case "second":
      return { ...before, second: second ?? before.second };
    case "ended":
      return { ...before, says, outcomes: [...outcomes], session };
    default:
      return before;
  }
}

export type DemoNeeds = {
  /** `kit demo`, as a program and its arguments. */
  readonly command: readonly string[];
  /** Where a window can be shown. */
  readonly hasWindow: boolean;
  /** Whether something of an earlier one is kept. */
  readonly isKept: () => boolean;
  readonly onChanged: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

export type DemoGame = {
  state(): Demo;
  start(): Demo;
  /** Resolves when it has ended. */
  end(): Promise<void>;
  /** Where its posts go; the same until the launcher ends. */
  letterbox(): Promise<string>;
  /** Opens the letterbox where it was in the launcher's last run, if that place is free. */
  reopen(port: number): Promise<void>;
  stop(): Promise<void>;
};

/** It closes its window and reads what became of it; then it has to go. */
const endWithinMs = 5_000;
const errorCharsMax = 500;

export function createDemo({ command, hasWindow, isKept, onChanged, onFailure }: DemoNeeds): DemoGame {
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let said: Said = untold;
  let box: Promise<DemoWebhook> | undefined;

  const state = (): Demo => {
    const playing = child !== undefined;
    if (!playing && !isKept()) return { ...untold, state: "none", seconds: demoSeconds.usual, window: hasWindow };
    return { ...said, state: playing ? "playing" : "played", phase: playing ? said.phase : null };
  };
  const over = (code: number | null, complaint: string) => {
    child = undefined;
    if (code !== 0) said = { ...said, failed: true, says: complaint || `The demo ended by itself (${code}).` };
    onChanged();
  };
  const begin = (): Demo => {
    if (child !== undefined) throw new KitError("too_many_requests", "The demo plays already.");
    const [program = "", ...words] = command;
    said = { ...untold, window: hasWindow, phase: "waiting" };
    const begun = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"] });
    child = begun;
    let complaint = "";
    begun.stderr.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-errorCharsMax);
    });
    createInterface({ input: begun.stdout as Readable }).on("line", (line) => {
      said = told(said, line);
      onChanged();
    });
    ended = once(begun, "close").then(
      ([code]) => over(code as number | null, complaint.trim()),
      (error: Error) => over(-1, `The demo could not be started: ${error.message}`),
    );
    return state();
  };
  const end = async () => {
    const playing = child;
    playing?.kill("SIGTERM");
    const late = setTimeout(() => playing?.kill("SIGKILL"), endWithinMs);
    await ended;
    clearTimeout(late);
  };
  const open = (port: number) => {
    box ??= import("./demo-webhook.ts").then(({ startDemoWebhook: openLetterbox }) => openLetterbox(port));
    box.catch(() => {
      box = undefined;
    });
    return box;
  };
  return {
    state,
    start() {
      const begun = begin();
      onChanged();
      return begun;
    },
    end,
    letterbox: async () => (await open(0)).url,
    reopen: (port) =>
      open(port).then(
        () => undefined,
        (error) => onFailure("demo letterbox", error),
      ),
    async stop() {
      await end();
      (await box?.catch(() => undefined))?.close();
    },
  };
}
