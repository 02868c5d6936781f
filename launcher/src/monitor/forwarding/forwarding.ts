// Sends reports on to servers a person named: whatever is kept whole of an issue, with how many there were. Nothing of this
// runs, and no library of it is loaded, while there is no target.
import type { ForwardKind, KitEvent } from "@kit/contract";
import { createSerialQueue } from "../../async/serial.ts";
import type { Route } from "../../http/route.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { type Line, startLine } from "./line.ts";
import { createOutboxStore, put, thinned } from "./outbox-store.ts";
import { type Access, type Crumb, type Send, scrubReport, type Waiting } from "./report.ts";
import { forwardingRoutes } from "./routes.ts";
import { type Person, personHere } from "./scrub/person.ts";
import { createScrub } from "./scrub/scrub.ts";
import { createTargetStore } from "./target-store.ts";
import { accessOf, createTargets, type Secrets } from "./targets.ts";

/** Of all targets together; each has an equal share. */
const rowsMax = 10_000;
const bytesMax = 64 * 1024 * 1024;
/** Once it is too much, it shrinks to this share, so that it does not have to shrink at every report. */
const shrinkTo = 0.95;
/** So many reports, and it is looked how much there is. */
const lookAfter = 50;
const withinMs = 10_000;
const crumbsMax = 20;
const crumbCharsMax = 200;

export type ForwardingNeeds = {
  readonly storage: Pick<Storage, "read" | "readPage" | "write">;
  readonly secrets: Secrets;
  readonly now: () => number;
  /** What the sender of an event sent shortly before it, newest first. */
  readonly sentBefore: (event: string) => Promise<readonly KitEvent[]>;
  readonly onFailure: (error: unknown) => void;
  readonly rowsMax?: number;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** Whose name and machine must not leave; whoever runs the launcher when left out. */
  readonly person?: () => Person;
};

export type Forwarding = {
  /** Reads which targets there are, and goes on with what waits. */
  load(): Promise<void>;
  /** What has to be written, with these reports, so that they are sent on. */
  forwarded(events: readonly string[]): Statement[];
  /** What `forwarded` returned is durable. */
  committed(): void;
  readonly routes: readonly Route[];
  stop(): Promise<void>;
};

export function createForwarding(needs: ForwardingNeeds): Forwarding {
  const { storage, secrets, now, random = Math.random, person = personHere, onFailure } = needs;
  const { write } = storage;
  const store = createTargetStore(storage, now);
  const outbox = createOutboxStore(storage);
  const lines = new Map<string, Line>();
  /** Until it is known that there is no target there may be one. */
  let targets: readonly string[] | undefined;
  let sinceLook = 0;
  let isStopped = false;
  let scrub: ReturnType<typeof createScrub> | undefined;

  const serialize = createSerialQueue();
  const open = async (kind: ForwardKind, access: Access): Promise<Send> => {
    if (kind === "sentry") return (await import("./sentry/sentry.ts")).openSentry(access, now, withinMs);
    return (await import("./otlp/otlp.ts")).openOtlp(access, now, withinMs);
  };
  const tell = async (report: Waiting, kind: ForwardKind) => {
    scrub ??= createScrub(person());
    // A log record has no place for what came before.
    const before = kind === "sentry" ? await needs.sentBefore(report.event) : [];
    return scrubReport(report, crumbsOf(before, report.message), scrub);
  };
  const openFor = async (id: string, kind: ForwardKind) => {
    const access = await accessOf(secrets, id);
    return access && open(kind, access);
  };
  /** Each line anew, or only that of one target, as the database says. */
  const arrange = async (only?: string) => {
    const all = await store.all();
    targets = all.filter(({ enabled }) => enabled).map(({ id }) => id);
    const stale = [...lines].filter(([id]) => only === undefined || id === only);
    await Promise.all(stale.map(([, line]) => line.stop()));
    for (const [id] of stale) lines.delete(id);
    for (const { id, kind, enabled, stopped, waitsUntil } of all) {
      if (isStopped || lines.has(id) || !enabled || stopped !== null) continue;
      const notBeforeMs = waitsUntil === null ? 0 : Date.parse(waitsUntil);
      const rest = {
        store: outbox,
        write,
        now,
        random,
        onFailure,
        withinMs,
        tell: (report: Waiting) => tell(report, kind),
      };
      const onStopped = () => void lines.delete(id);
      lines.set(id, startLine({ id, kind, notBeforeMs, open: () => openFor(id, kind), onStopped, ...rest }));
    }
  };
  const look = async () => {
    sinceLook = 0;
    const share = Math.max(1, targets?.length ?? 1);
    const rows = (needs.rowsMax ?? rowsMax) / share;
    const bytes = bytesMax / share;
    for (const id of targets ?? []) {
      const held = await outbox.held(id);
      if (held.rows > rows || held.bytes > bytes) await write(...thinned(id, rows * shrinkTo, bytes * shrinkTo));
    }
  };
  const onChanged = (id: string) => serialize(() => arrange(id));
  const work = createTargets({ store, secrets, write, now, open, onChanged, withinMs });

  return {
    load: () => serialize(() => arrange()),
    forwarded(events) {
      if (targets?.length === 0 || events.length === 0) return [];
      sinceLook += events.length;
      return [put(events)];
    },
    committed() {
      if (targets?.length === 0) return;
      for (const line of lines.values()) line.wake();
      if (sinceLook >= lookAfter) void look().catch(onFailure);
    },
    routes: forwardingRoutes(work),
    async stop() {
      isStopped = true;
      await serialize(async () => undefined);
      await Promise.all([...lines.values()].map((line) => line.stop()));
    },
  };
}

const firstLine = (text: string) => text.split("\n", 1)[0]?.slice(0, crumbCharsMax).toWellFormed() ?? "";

/** The others before it, oldest first; in a storm the ones just before are all the same. */
function crumbsOf(events: readonly KitEvent[], message: string): Crumb[] {
  const own = firstLine(message);
  return events
    .map(({ kind, eventId, payload, actsOn }) => ({
      atMs: Date.parse(actsOn),
      kind,
      text: firstLine(eventId ?? payload.message ?? ""),
    }))
    .filter(({ text }) => text !== own)
    .slice(0, crumbsMax)
    .reverse();
}
