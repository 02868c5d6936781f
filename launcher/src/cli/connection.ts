// Finds the launcher of a data directory and makes sure it is that one before the secret is shown to it.
import { randomBytes } from "node:crypto";
import { type Client, createClient, getHealth, type Health } from "@kit/contract";
import type { Config } from "../config.ts";
import { readRunning } from "../running.ts";
import { proofOf, readSecret, sameText } from "../secret.ts";
import { dataDirAt } from "../storage/data-dir.ts";

/** No launcher of this data directory answers; the message says what does, and what to do. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

export type LauncherIdentity =
  | { readonly who: "own"; readonly health: Health; readonly port: number }
  | { readonly who: "other-kit"; readonly health: Health; readonly port: number }
  | { readonly who: "stranger"; readonly port: number }
  | { readonly who: "nobody"; readonly port: number };

const answerWithinMs = 3_000;

/** The port given, else the one the running launcher wrote down, else the default. */
export function portOf(config: Config): number {
  if (config.portGiven) return config.port;
  return readRunning(dataDirAt(config.dataDir).running)?.port ?? config.port;
}

const isKit = (value: unknown): value is Health =>
  typeof value === "object" && value !== null && (value as Partial<Health>).product === "kit";

/** Who answers on the port. A program that does not prove it knows the secret is not ours, whatever it says. */
export async function whoAnswers(config: Config): Promise<LauncherIdentity> {
  const port = portOf(config);
  const secret = readSecret(dataDirAt(config.dataDir).secret);
  const challenge = randomBytes(16).toString("hex");
  const address = `http://127.0.0.1:${port}${getHealth.path}?challenge=${challenge}`;
  try {
    const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(answerWithinMs) });
    const health: unknown = await response.json().catch(() => undefined);
    if (!isKit(health)) return { who: "stranger", port };
    const own = secret !== undefined && sameText(health.proof ?? "", proofOf(secret, port, challenge));
    return { who: own ? "own" : "other-kit", health, port };
  } catch (error) {
    const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;
    return { who: code === "ECONNREFUSED" ? "nobody" : "stranger", port };
  }
}

/** Why nothing can be stored; undefined where it can. */
export const failingIn = ({ storage }: Health): string | undefined =>
  storage.state === "failing" ? (storage.detail ?? "Nothing can be stored.") : undefined;

function sentenceOn({ who, port }: LauncherIdentity): string {
  if (who === "nobody") return `No launcher answers on port ${port}. Start it with \`npm start\` or \`kit start\`.`;
  if (who === "stranger") return `Another program answers on port ${port}. \`kit doctor\` names it.`;
  return `A Kit with another data directory answers on port ${port}. Give its --data-dir, or another --port.`;
}

/** To start it is no advice where this Kit does not know the schema of the data. */
async function assertCanStart({ dataDir, migrations }: Config): Promise<void> {
  const { assertKnownData } = await import("../storage/schema-version.ts");
  try {
    assertKnownData(dataDirAt(dataDir), migrations);
  } catch (error) {
    throw new Unreachable((error as Error).message, { cause: error });
  }
}

export type Connection = { readonly client: Client; readonly baseUrl: string; readonly health: Health };

/** Connects to this data directory's launcher. Throws Unreachable. */
export async function connect(config: Config): Promise<Connection> {
  const standing = await whoAnswers(config);
  if (standing.who === "nobody") await assertCanStart(config);
  if (standing.who !== "own") throw new Unreachable(sentenceOn(standing));
  const baseUrl = `http://127.0.0.1:${standing.port}`;
  const secret = readSecret(dataDirAt(config.dataDir).secret);
  return {
    client: createClient(baseUrl, () => ({ authorization: `Bearer ${secret}` })),
    baseUrl,
    health: standing.health,
  };
}
