// Reads what PulseAudio or PipeWire plays, and follows it. Changes nothing there.

import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import type { Message } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";

/** `pid` is the process that plays the stream; null if it does not say. */
type PlayedStream = { readonly id: number; readonly pid: number | null };

export type SoundServerState = {
  readonly streams: readonly PlayedStream[];
  /** The device that records what the default output plays; null without an output. */
  readonly monitor: string | null;
  /** The default microphone; null if there is none. */
  readonly microphone: string | null;
  /** Only on Windows: true if `stream:PID` is what a process and all that it started play; otherwise why it is not. */
  readonly ofProcesses?: true | Message;
};

type SoundServerEvents = {
  /** Called after the first look, and after each change. */
  readonly onState: (state: SoundServerState) => void;
  /** Called once, if the server does not answer or stops answering. */
  readonly onLost: (why: Message) => void;
};

export type FollowSoundServer = (events: SoundServerEvents) => { stop(): void };

const run = promisify(execFile);
const timeoutMs = 4_000;
/** Sets the language of what pactl prints. */
const pactlInEnglish = ["LC_ALL=C", "pactl"];
const pactl = async (...args: string[]): Promise<string> =>
  (await run("env", [...pactlInEnglish, ...args], { timeout: timeoutMs, maxBuffer: 8 * 1024 * 1024 })).stdout;

/** The exit code of `env` if there is no such program. */
const noProgram = 127;
const isAbsent = ({ code }: { readonly code?: unknown }) => code === "ENOENT" || code === noProgram;
const noServer = () => message("sound.no_server");

/** Returns true if Kit can record single streams here. */
export async function canRecordStreams(): Promise<boolean> {
  try {
    await run("parec", ["--version"], { timeout: timeoutMs });
    await pactl("info");
    return true;
  } catch {
    return false;
  }
}

/** Reads the entries of a list that pactl prints: their numbers, and the texts below them. */
function entriesOf(listing: string, kind: "Sink Input" | "Client"): { readonly id: number; readonly text: string }[] {
  return listing.split(new RegExp(`^${kind} #`, "m")).flatMap((text, i) => {
    const id = /^\d+/.exec(text)?.[0];
    return i === 0 || id === undefined ? [] : [{ id: Number(id), text }];
  });
}

function numberIn(text: string, pattern: RegExp): number | null {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

const ownProcess = /^\s+application\.process\.id = "(\d+)"/m;
const processAsKernelKnowsIt = /^\s+pipewire\.sec\.pid = "(\d+)"/m;

/**
 * Reads what `pactl list sink-inputs` prints. A program that plays by PipeWire itself, or by ALSA through it, names its process only
 * in its entry of `pactl list clients`. There PipeWire adds the process as the kernel knows it, which is right also for a sandbox.
 */
export function parsePlayedStreams(listing: string, clients = ""): PlayedStream[] {
  const processes = new Map(
    entriesOf(clients, "Client").map(({ id, text }) => [id, numberIn(text, processAsKernelKnowsIt)]),
  );
  return entriesOf(listing, "Sink Input").map(({ id, text }) => {
    const client = numberIn(text, /^\s+Client: (\d+)$/m);
    return { id, pid: numberIn(text, ownProcess) ?? (client === null ? null : (processes.get(client) ?? null)) };
  });
}

/** Reads the default devices that `pactl info` prints. A monitor is no microphone: it records what is played. */
export function parseDevices(info: string): Pick<SoundServerState, "monitor" | "microphone"> {
  const named = (what: string) => {
    const name = new RegExp(`^Default ${what}: (.+)$`, "m").exec(info)?.[1]?.trim();
    return name === undefined || name === "" || name.startsWith("@") ? null : name;
  };
  const output = named("Sink");
  const source = named("Source");
  return {
    monitor: output === null ? null : `${output}.monitor`,
    microphone: source === null || source.endsWith(".monitor") ? null : source,
  };
}

/** Delay between a change and the next read, because changes often come in bursts. */
const settleMs = 40;
/** `pactl subscribe` names what has changed. Changes to recording streams, such as Kit's own, are ignored. */
const relevantEvent = /on (?:sink-input|sink|source|server) #/;

export const followPulse: FollowSoundServer = ({ onState, onLost }) => {
  let isStopped = false;
  let isLooking = false;
  let mustLookAgain = false;
  let timer: NodeJS.Timeout | undefined;
  const child = spawn("env", [...pactlInEnglish, "subscribe"], {
    stdio: ["ignore", "pipe", "ignore"],
    windowsHide: true,
  });
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
    child.kill("SIGKILL");
  };
  const lose = (why: Message) => {
    if (isStopped) return;
    stop();
    onLost(why);
  };
  const look = async () => {
    isLooking = true;
    mustLookAgain = false;
    const [info, listing] = await Promise.all([pactl("info"), pactl("list", "sink-inputs")]);
    const lacksProcess = parsePlayedStreams(listing).some(({ pid }) => pid === null);
    const clients = lacksProcess ? await pactl("list", "clients") : "";
    isLooking = false;
    if (isStopped) return;
    onState({ ...parseDevices(info), streams: parsePlayedStreams(listing, clients) });
    if (mustLookAgain) lookSoon();
  };
  const lookSoon = () => {
    mustLookAgain = isLooking;
    if (isLooking || isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void look().catch(() => lose(noServer())), settleMs).unref();
  };
  let line = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (line + text).split("\n");
    line = (lines.pop() ?? "").slice(-1_000);
    if (lines.some((one) => relevantEvent.test(one))) lookSoon();
  });
  child.once("error", (error) => lose(reasonOf(error)));
  child.once("close", (code) => lose(isAbsent({ code }) ? message("sound.no_programs") : noServer()));
  // Subscribed first, so that no change is missed between the look and the subscription.
  child.once("spawn", lookSoon);
  return { stop };
};
