// The servers reports are sent on to, as a person works with them: added, changed, tested, removed.
import { randomUUIDv7 } from "node:crypto";
import { type ForwardKind, type ForwardTarget, type ForwardTest, forwardTargetsMax, KitError } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import { checkHeaders, readEndpoint, refuse } from "./address.ts";
import { withoutAddress } from "./line.ts";
import { faultOf } from "./post.ts";
import type { Access, OutgoingReport, Send } from "./report.ts";
import { readDsn } from "./sentry/dsn.ts";
import {
  added,
  filed,
  led,
  removed,
  type Shown,
  startedAgain,
  switched,
  type TargetStore,
  waits,
} from "./target-store.ts";

/** Where keys are kept. */
export type Secrets = {
  read(name: string): Promise<string | undefined>;
  write(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
};

export type TargetsNeeds = {
  readonly store: TargetStore;
  readonly secrets: Secrets;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly open: (kind: ForwardKind, access: Access) => Promise<Send>;
  /** Called when a change is durable; resolves when it has taken effect. */
  readonly onChanged: (id: string) => Promise<void>;
  readonly withinMs: number;
};

type Headers = Readonly<Record<string, string>>;
type TargetChange = {
  readonly enabled?: boolean;
  readonly game?: string | null;
  readonly address?: string;
  readonly headers?: Headers;
};
type NewTarget = {
  readonly kind: ForwardKind;
  readonly address: string;
  readonly headers?: Headers;
  readonly game: string | null;
};
export type Targets = ReturnType<typeof createTargets>;

const answerCharsMax = 500;
const secretOf = (id: string) => `forward-${id}`;

/** Throws KitError for what cannot be sent to. */
async function shownOf(kind: ForwardKind, { address, headers }: Access): Promise<Shown> {
  checkHeaders(headers);
  if (kind === "otlp") return { host: readEndpoint(address).host, project: null };
  if (Object.keys(headers).length > 0) refuse("/headers", "are for collectors; a DSN holds all there is");
  const { host, project } = await readDsn(address);
  return { host, project };
}

/** Undefined when it is not there, or not whole. */
export async function accessOf(secrets: Secrets, id: string): Promise<Access | undefined> {
  const kept = await secrets.read(secretOf(id));
  if (kept === undefined) return undefined;
  try {
    return JSON.parse(kept) as Access;
  } catch {
    // The parser's own words would hold a piece of it.
    throw new Error("What is kept of it is damaged: give the address again.");
  }
}

const testReport = (id: string, atMs: number): OutgoingReport => ({
  event: id,
  news: "new",
  number: 1,
  atMs,
  issue: id,
  game: "kit",
  dialect: "text",
  version: 0,
  key: "kit-test",
  type: "KitTest",
  message: "This is a test of Kit's forwarding. Nothing went wrong.",
  frames: [],
  stack: "",
  before: [],
  isTest: true,
});

export function createTargets({ store, secrets, write, now, open, onChanged, withinMs }: TargetsNeeds) {
  const find = async (id: string): Promise<ForwardTarget> => {
    const found = (await store.all()).find((target) => target.id === id);
    if (found === undefined) throw new KitError("not_found", "There is no such target.");
    return found;
  };
  const keep = (id: string, access: Access) =>
    secrets.write(secretOf(id), JSON.stringify(access)).catch((error: unknown) => {
      throw new KitError("storage_unavailable", `The key could not be kept. ${(error as Error).message}`);
    });
  const changed = async (id: string) => {
    await onChanged(id);
    return find(id);
  };
  /** What the server says to one report that is marked as a test. */
  const tryOut = async ({ id, kind }: ForwardTarget): Promise<ForwardTest> => {
    const nothing = { ok: false, status: null, answer: null, report: null };
    const report = randomUUIDv7();
    try {
      const access = await accessOf(secrets, id);
      if (access === undefined) return { ...nothing, says: withoutAddress };
      const send = await open(kind, access);
      const signal = AbortSignal.timeout(2 * withinMs);
      const { verdict, status, answer, notBeforeMs } = await send([testReport(report, now())], signal);
      if (notBeforeMs !== null) await write(waits(id, { untilMs: notBeforeMs, because: "rate-limit" }));
      const ok = verdict.outcome === "delivered";
      const says = "says" in verdict ? verdict.says : `The server took the test report (${status}).`;
      return { ok, says, status, answer: answer?.slice(0, answerCharsMax).toWellFormed() ?? null, report };
    } catch (error) {
      return { ...nothing, says: faultOf(error, withinMs) };
    }
  };

  return {
    list: () => store.all(),
    async add({ kind, address, headers = {}, game }: NewTarget): Promise<ForwardTarget> {
      const access = { address, headers };
      const shown = await shownOf(kind, access);
      if ((await store.all()).length >= forwardTargetsMax)
        throw new KitError("payload_invalid", `There are ${forwardTargetsMax} targets already. Delete one first.`);
      const id = randomUUIDv7();
      // First the row: a key nobody knows of would stay for ever.
      await write(added({ id, kind, game: game?.toWellFormed() ?? null, ...shown }, now(), withoutAddress));
      try {
        await keep(id, access);
      } catch (error) {
        await write(removed(id));
        throw error;
      }
      await write(startedAgain(id));
      return changed(id);
    },
    async change(id: string, { enabled, game, address, headers }: TargetChange): Promise<ForwardTarget> {
      const { kind } = await find(id);
      if (address !== undefined || headers !== undefined) {
        const before = await accessOf(secrets, id);
        if (address === undefined && before === undefined) throw new KitError("payload_invalid", withoutAddress);
        const access = { address: address ?? before?.address ?? "", headers: headers ?? before?.headers ?? {} };
        const shown = await shownOf(kind, access);
        await keep(id, access);
        await write(led(id, shown), startedAgain(id));
      }
      if (game !== undefined) await write(filed(id, game?.toWellFormed() ?? null));
      if (enabled !== undefined) await write(switched(id, enabled), ...(enabled ? [startedAgain(id)] : []));
      return changed(id);
    },
    async remove(id: string): Promise<void> {
      await find(id);
      // First the key: a row without one says so.
      await secrets.remove(secretOf(id));
      await write(removed(id));
      await onChanged(id);
    },
    async test(id: string): Promise<ForwardTest> {
      const target = await find(id);
      if (target.waitsBecause === "rate-limit") {
        const says = `The server asked for nothing before ${target.waitsUntil}: no test was sent.`;
        return { ok: false, says, status: null, answer: null, report: null };
      }
      const result = await tryOut(target);
      if (result.ok) await write(startedAgain(id));
      const { stopped, waitsUntil } = await find(id);
      // A line that goes on as it did is left to its request.
      if (stopped !== target.stopped || waitsUntil !== target.waitsUntil) await onChanged(id);
      return result;
    },
  };
}
