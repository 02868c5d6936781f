// Connects to the launcher of a data directory. Sends the secret only after the launcher proved that it knows it.

import { randomBytes } from "node:crypto";
import { type Client, createClient, detailOf, getHealth, type Health } from "@kit/contract";
import type { Config } from "../config.ts";
import { isEqualInConstantTime, listenerProof, readInstallSecret, readRunningFile } from "../own-files.ts";
import { dataDirAt } from "../storage/data-dir.ts";
import { say } from "./output.ts";

/** Thrown when no launcher of this data directory answers. The message says what answers instead, and what to do. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

export type LauncherIdentity =
  | { readonly who: "own"; readonly health: Health; readonly port: number }
  | { readonly who: "other-kit"; readonly health: Health; readonly port: number }
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

/** Finds out what answers on the port. It is "own" only if it proves that it knows the secret of this data directory. */
export async function identifyLauncher(config: Config): Promise<LauncherIdentity> {
  const port = launcherPort(config);
  const { running, secret: secretPath } = dataDirAt(config.dataDir);
  const secret = readInstallSecret(secretPath);
  const patienceMs = readRunningFile(running)?.port === port ? config.answerWithinMs : answerWithinMs;
  const challenge = randomBytes(16).toString("hex");
  const address = `http://127.0.0.1:${port}${getHealth.path}?challenge=${challenge}`;
  try {
    const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(patienceMs) });
    const health: unknown = await response.json().catch(() => undefined);
    if (!isKit(health)) return { who: "stranger", port };
    const own =
      secret !== undefined && isEqualInConstantTime(health.proof ?? "", listenerProof(secret, port, challenge));
    return { who: own ? "own" : "other-kit", health, port };
  } catch (error) {
    const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;
    return { who: code === "ECONNREFUSED" ? "nobody" : "stranger", port };
  }
}

/** Says why the launcher cannot store events. Undefined if it can. */
export const whyStorageFails = ({ storage }: Health): string | undefined =>
  storage.state === "failing" ? say(storage.detail ?? "Nothing can be stored.") : undefined;

/** Describes a launcher that does not know the secret of this data directory. */
export const otherKit = "a Kit with another data directory, possibly of another user of this computer";

function explainUnreachable({ who, port }: LauncherIdentity): string {
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

export type LauncherConnection = { readonly client: Client; readonly baseUrl: string; readonly health: Health };

/** Connects to the launcher of this data directory. Throws Unreachable if it does not answer. */
export async function connectToLauncher(config: Config): Promise<LauncherConnection> {
  const identity = await identifyLauncher(config);
  if (identity.who === "nobody") await assertCanStart(config);
  if (identity.who !== "own") throw new Unreachable(explainUnreachable(identity));
  const baseUrl = `http://127.0.0.1:${identity.port}`;
  const secret = readInstallSecret(dataDirAt(config.dataDir).secret);
  return {
    client: createClient(baseUrl, () => ({ authorization: `Bearer ${secret}` })),
    baseUrl,
    health: identity.health,
  };
}
