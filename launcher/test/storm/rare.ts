// Support: sends a few other errors and moments from another sender during a storm, and checks their receipts.
import { setTimeout as pause } from "node:timers/promises";
import type { Acknowledgement } from "@kit/contract";
import { type LauncherProcess, timestamp } from "../support/own-launcher.ts";
import { rareReport } from "./reports.ts";

const reportEveryMs = 200;
const reportsToOneMoment = 5;
/** A few less than the number of new issues that a sender may have in one minute. */
export const rareKindsMax = 50;
const headers = { "content-type": "application/json", "user-agent": "QuietEngine/1.0 (Linux)" };

export type RareAccount = {
  /** The ids of the acknowledged reports, by kind. */
  readonly reports: ReadonlyMap<number, readonly string[]>;
  /** The ids of the acknowledged recording triggers. */
  readonly moments: readonly string[];
  /** Requests that were not answered with 202. */
  readonly failures: readonly string[];
};

/** Sends five reports a second, each of another kind than the fifty before it, and one moment, until `stop`. */
export function startRare(launcher: Pick<LauncherProcess, "send">): { stop(): Promise<RareAccount> } {
  const stopping = new AbortController();
  const reports = new Map<number, string[]>();
  const moments: string[] = [];
  const failures: string[] = [];
  const underWay = new Set<Promise<void>>();

  const send = async (kind: "monitor" | "recording", body: unknown, ids: string[]) => {
    try {
      const answer = await launcher.send(kind, body, headers);
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
    // The trigger identifies the game, to which later reports are then assigned.
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
      return { reports, moments, failures };
    },
  };
}

export type RareFate = {
  /** The number of reports whose receipt says `grouped`, and of moments that a slice has handled. */
  readonly handled: number;
  /** What is wrong, in words. */
  readonly faults: readonly string[];
};

/** Reads the receipt of each report and moment. */
export async function fateOf(launcher: Pick<LauncherProcess, "receipt">, account: RareAccount): Promise<RareFate> {
  const faults: string[] = [];
  let handled = 0;
  const look = async (id: string, isHandled: (states: readonly { state: string; by: string }[]) => boolean) => {
    try {
      const { states } = await launcher.receipt(id);
      if (isHandled(states)) handled += 1;
      else faults.push(`${id} got as far as ${states.at(-1)?.state}`);
    } catch (error) {
      faults.push(`${id}: ${(error as Error).message}`);
    }
  };
  for (const id of [...account.reports.values()].flat())
    await look(id, (states) => states.some(({ state }) => state === "grouped"));
  for (const id of account.moments) await look(id, (states) => states.some(({ by }) => by !== "inbox"));
  return { handled, faults };
}
