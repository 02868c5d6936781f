// Sends a few other errors and moments from another sender during a storm, and reads what became of them.
import { setTimeout as pause } from "node:timers/promises";
import type { Acknowledgement } from "@kit/contract";
import { type OwnLauncher, timestamp } from "../support/own-launcher.ts";
import { rareReport } from "./reports.ts";

const reportEveryMs = 200;
const reportsToOneMoment = 5;
/** As many new kinds as a sender may have in one minute, less a few. */
export const rareKindsMax = 50;
const headers = { "content-type": "application/json", "user-agent": "QuietEngine/1.0 (Linux)" };

export type RareAccount = {
  /** Ids of the acknowledged reports, by kind. */
  readonly reports: ReadonlyMap<number, readonly string[]>;
  /** Ids of the acknowledged recording triggers. */
  readonly moments: readonly string[];
  readonly waitsMs: readonly number[];
  /** Whatever was not answered with 202. */
  readonly failures: readonly string[];
};

/** Five reports a second, each of another kind than the fifty before it, and one moment; until `stop`. */
export function startRare(launcher: Pick<OwnLauncher, "send">): { stop(): Promise<RareAccount> } {
  const stopping = new AbortController();
  const reports = new Map<number, string[]>();
  const moments: string[] = [];
  const waitsMs: number[] = [];
  const failures: string[] = [];
  const underWay = new Set<Promise<void>>();

  const send = async (kind: "monitor" | "recording", body: unknown, ids: string[]) => {
    const beganMs = performance.now();
    try {
      const answer = await launcher.send(kind, body, headers);
      waitsMs.push(performance.now() - beganMs);
      if (answer.status === 202) ids.push(answer.json<Acknowledgement>().id);
      else failures.push(`${kind}: ${answer.status} ${answer.text}`);
    } catch (error) {
      failures.push(`${kind}: ${String(error)}`);
    }
  };
  const begin = (sending: Promise<void>) => {
    underWay.add(sending);
    void sending.finally(() => underWay.delete(sending));
  };
  const sendMoment = (n: number) =>
    send("recording", { eventId: `quiet_moment_${n}`, timestamp: timestamp() }, moments);
  const run = async () => {
    // It tells which game this is: what comes after it is filed there.
    await sendMoment(0);
    const beganMs = performance.now();
    for (let n = 0; !stopping.signal.aborted; n += 1) {
      const kind = n % rareKindsMax;
      const ids = reports.get(kind) ?? [];
      reports.set(kind, ids);
      begin(send("monitor", rareReport(kind), ids));
      if (n % reportsToOneMoment === reportsToOneMoment - 1) begin(sendMoment(n));
      const waitMs = Math.max(0, beganMs + (n + 1) * reportEveryMs - performance.now());
      await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await Promise.all(underWay);
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      return { reports, moments, waitsMs, failures };
    },
  };
}

export type RareFate = {
  /** Reports whose receipt says `grouped`, and moments whose slice said what becomes of them. */
  readonly handedOn: number;
  /** What is not as it should be, in words. */
  readonly faults: readonly string[];
};

/** Asks for the receipt of each. */
export async function fateOf(launcher: Pick<OwnLauncher, "receipt">, account: RareAccount): Promise<RareFate> {
  const faults: string[] = [];
  let handedOn = 0;
  const look = async (id: string, isHandedOn: (states: readonly { state: string; by: string }[]) => boolean) => {
    try {
      const { states } = await launcher.receipt(id);
      if (isHandedOn(states)) handedOn += 1;
      else faults.push(`${id} got as far as ${states.at(-1)?.state}`);
    } catch (error) {
      faults.push(`${id}: ${(error as Error).message}`);
    }
  };
  for (const id of [...account.reports.values()].flat())
    await look(id, (states) => states.some(({ state }) => state === "grouped"));
  for (const id of account.moments) await look(id, (states) => states.some(({ by }) => by !== "inbox"));
  return { handedOn, faults };
}
