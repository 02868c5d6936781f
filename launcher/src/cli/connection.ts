// Connects to the launcher of a data directory. Sends the secret only after the launcher proved that it knows it.

import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient, detailOf, getHealth, type Health } from "@kit/contract";
import type { Config } from "../config.ts";
import { isEqualInConstantTime, listenerProof, readInstallSecret, readRunningFile } from "../own-files.ts";
import { isProcessRunning } from "../process/is-running.ts";
import { dataDirAt, isLockFree } from "../storage/data-dir.ts";
import { say } from "./output.ts";

/** Thrown when no launcher of this data directory answers. The message says what answers instead, and what to do. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/** The launcher of this data directory runs, and does not respond. */
type Silence = { readonly who: "silent"; readonly port: number; readonly pid: number };

export type LauncherIdentity =
  | { readonly who: "own"; readonly health: Health; readonly port: number }
  | { readonly who: "other-kit"; readonly health: Health; readonly port: number }
  | Silence
  | { readonly who: "stranger"; readonly port: number }
  | { readonly who: "nobody"; readonly port: number };

const answerWithinMs = 3_000;

/** Returns the port that was given; otherwise the one that the running launcher recorded, otherwise the default. */
export function launcherPort(config: Config): number {
  if (config.isPortExplicit) return config.port;
  return readRunningFile(dataDirAt(config.dataDir).running)?.port ?? config.port;
}

const isKit = (value: unknown): value is Health =>
  typeof value === "object" && value !== null && (value as Partial<Health>).product === "kit";

/**
 * Finds out what answers on the port, until the signal is aborted. It is "own" only if it proves that it knows the secret of this
 * data directory.
 */
export async function identifyLauncher(config: Config, signal?: AbortSignal): Promise<LauncherIdentity> {
  const port = launcherPort(config);
  const { running, secret: secretPath, lock } = dataDirAt(config.dataDir);
  const secret = readInstallSecret(secretPath);
  const recorded = readRunningFile(running);
  const isRecorded = recorded?.port === port;
  const timeout = AbortSignal.timeout(isRecorded ? config.answerWithinMs : answerWithinMs);
  const challenge = randomBytes(16).toString("hex");
  const address = `http://127.0.0.1:${port}${getHealth.path}?challenge=${challenge}`;
  try {
    const response = await fetch(address, {
      redirect: "error",
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    const health: unknown = await response.json().catch(() => undefined);
    if (!isKit(health)) return { who: "stranger", port };
    const own =
      secret !== undefined && isEqualInConstantTime(health.proof ?? "", listenerProof(secret, port, challenge));
    return { who: own ? "own" : "other-kit", health, port };
  } catch (error) {
    const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;
    if (code === "ECONNREFUSED") return { who: "nobody", port };
    const isCutShort = timeout.aborted || signal?.aborted === true;
    // The lock tells that the process in the file is a launcher, not a later process with its id.
    const isOwn = isCutShort && isRecorded && isProcessRunning(recorded.pid) && !isLockFree(lock);
    return isOwn ? { who: "silent", port, pid: recorded.pid } : { who: "stranger", port };
  }
}

/** Says which process does not respond, and what to do. */
export const explainSilence = ({ pid, port }: Silence) => ({
  detail: `Kit runs (process ${pid}) but does not respond on port ${port}`,
  fix: `Wait a moment. If it stays so, end process ${pid} and start Kit again.`,
});

/** The same in one text. */
export const silenceSentences = (silence: Silence): string => {
  const { detail, fix } = explainSilence(silence);
  return `${detail}. ${fix}`;
};

/** Says why the launcher cannot store events. Undefined if it can. */
export const whyStorageFails = ({ storage }: Health): string | undefined =>
  storage.state === "failing" ? say(storage.detail ?? "Nothing can be stored.") : undefined;

/** Describes a launcher that does not know the secret of this data directory. */
export const otherKit = "a Kit with another data directory, possibly of another user of this computer";

function explainUnreachable(identity: LauncherIdentity): string {
  const { who, port } = identity;
  if (who === "silent") return silenceSentences(identity);
  if (who === "nobody") return `No launcher answers on port ${port}. Start it with \`npm start\` or \`kit start\`.`;
  if (who === "stranger") return `Another program answers on port ${port}. \`kit doctor\` names it.`;
  return `Port ${port} is used by ${otherKit}. If it is yours, give its --data-dir; otherwise start your own with --port N.`;
}

/** Throws if this version of Kit cannot open the data. Otherwise the advice to start the launcher would be wrong. */
async function assertCanStart({ dataDir, migrations }: Config): Promise<void> {
  const { assertKnownData } = await import("../storage/schema.ts");
  try {
    assertKnownData(dataDirAt(dataDir), migrations);
  } catch (error) {
    throw new Unreachable(say(detailOf(error)), { cause: error });
  }
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Calls `end` when the launcher responds to nothing any more, until the signal is aborted. */
async function watchLauncher(config: Config, signal: AbortSignal, end: (why: Unreachable) => void): Promise<void> {
  while (!signal.aborted) {
    await pause(config.watchEveryMs, undefined, { ref: false, signal }).catch(() => undefined);
    const identity = signal.aborted ? undefined : await identifyLauncher(config, signal);
    if (identity?.who === "silent" && !signal.aborted) return end(new Unreachable(silenceSentences(identity)));
  }
}

/**
 * Returns a fetch that waits as long as the launcher responds to anything, because some requests take long. Then it rejects with
 * Unreachable, as does reading the body.
 */
function createWatchedFetch(config: Config, signal?: AbortSignal): Fetch {
  return async (url, init = {}) => {
    const over = new AbortController();
    const silent = new AbortController();
    void watchLauncher(config, over.signal, (why) => silent.abort(why));
    const signals = [silent.signal, signal, init.signal].filter((one) => one != null);
    try {
      const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.any(signals) });
      if (response.body === null) over.abort();
      const { status, statusText, headers } = response;
      const body = response.body?.pipeThrough(
        new TransformStream({ flush: () => over.abort(), cancel: () => over.abort() }),
      );
      return new Response(body ?? null, { status, statusText, headers });
    } catch (error) {
      over.abort();
      throw error;
    }
  };
}

export type LauncherConnection = {
  readonly client: Client;
  readonly baseUrl: string;
  readonly health: Health;
};

/** The connection to a launcher that proved that it knows the secret. Its requests end when the signal is aborted. */
export function connectionTo(
  config: Config,
  identity: LauncherIdentity & { readonly who: "own" },
  signal?: AbortSignal,
): LauncherConnection {
  const baseUrl = `http://127.0.0.1:${identity.port}`;
  const secret = readInstallSecret(dataDirAt(config.dataDir).secret);
  const watched = createWatchedFetch({ ...config, port: identity.port, isPortExplicit: true }, signal);
  return {
    client: createClient(baseUrl, () => ({ authorization: `Bearer ${secret}` }), watched),
    baseUrl,
    health: identity.health,
  };
}

/** Connects to the launcher of this data directory. Throws Unreachable if it does not answer before the signal is aborted. */
export async function connectToLauncher(config: Config, signal?: AbortSignal): Promise<LauncherConnection> {
  const identity = await identifyLauncher(config, signal);
  if (identity.who === "nobody") await assertCanStart(config);
  if (identity.who !== "own") throw new Unreachable(explainUnreachable(identity));
  return connectionTo(config, identity, signal);
}
