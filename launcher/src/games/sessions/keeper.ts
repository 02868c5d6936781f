// Keeps the sessions that go on: follows the journal, notices what ended, and writes each change with the place it came from.
//
// Taking events in costs nothing for it. Who sent an event is written with the event anyway; from that, and from its time, its
// session follows when this comes along behind, a second later at most. A batch is one commit: the sessions it changed, its
// place in the journal, and the stretches of the journal that are one session's. While one game plays that is one stretch
// that grows, however many events there are. A crash before the commit repeats the batch and comes to the same.
import { createSerialQueue } from "../../async/serial.ts";
import type { Statement } from "../../storage/sql.ts";
import { type Assigned, type AssignNeeds, assign } from "./assign.ts";
import { isNear, isReported, type OpenSession } from "./open-session.ts";
import type { ProcessLife } from "./process-life.ts";
import {
  begun,
  changed,
  followedUpTo,
  madeRoom,
  mergeSessions,
  owned,
  type Part,
  parted,
  partsForgotten,
  refiled,
  type SessionAssignment,
  type SessionStore,
} from "./session-store.ts";

const sessionsMax = 10_000;
/** Those that are looked at for their end; of more the one without an event for longest counts as ended. */
const openMax = 500;
const batchMax = 1_000;
/** What a run sent last may be read after its end was told. */
const recentMs = 60_000;
const recentMax = 50;

export type KeeperNeeds = AssignNeeds & {
  readonly store: SessionStore;
  readonly life: ProcessLife;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  /** Called when a session is another than it was told to be. */
  readonly onChanged: () => void;
  readonly sessionsMax?: number;
};

export type Keeper = {
  load(): Promise<void>;
  /** Takes up what came behind; true where more waits. */
  follow(): Promise<boolean>;
  /** Ends what has ended. */
  look(): Promise<void>;
  /** Files sessions anew, as their events are. */
  refile(): Promise<void>;
  /** Changes one in its turn; `change` is given what is known of it, and says what is to be written with it. */
  change(
    find: () => Promise<OpenSession | undefined>,
    change: (known: OpenSession | undefined) => {
      readonly one: OpenSession;
      readonly sender?: number;
      readonly writes?: readonly Statement[];
    },
  ): Promise<OpenSession>;
};

export function createKeeper(needs: KeeperNeeds): Keeper {
  const { store, life, senders, gameOf, write, now, onChanged } = needs;
  const serialize = createSerialQueue();
  const sinceMs = now();
  let open = new Map<string, OpenSession>();
  /** Those that ended a moment ago. */
  let recent: readonly OpenSession[] = [];
  /** Whose events those are. */
  let owners = new Map<number, string>();
  /** Seen to run by this launcher. */
  const seen = new Set<string>();
  let place: number | undefined;
  let lastPart: Part | undefined;
  let isCaughtUp = false;
  let hasNews = false;

  const isRecent = ({ endedMs }: OpenSession) => Math.abs(now() - (endedMs ?? 0)) < recentMs;
  const take = (sittings: Iterable<OpenSession>): void => {
    for (const one of sittings) {
      recent = recent.filter(({ id }) => id !== one.id);
      if (one.endedMs === null) open.set(one.id, one);
      else {
        open.delete(one.id);
        recent = [...recent, one].slice(-recentMax);
      }
    }
    for (const [sender, id] of owners) if (!open.has(id)) owners.delete(sender);
    for (const id of seen) if (!open.has(id)) seen.delete(id);
  };
  const saved = (one: OpenSession, isNew: boolean): Statement[] =>
    isNew ? [begun(one), changed(one), ...madeRoom(needs.sessionsMax ?? sessionsMax)] : [changed(one)];

  const ofSenders = async (all: readonly (number | null)[]): Promise<Map<number, OpenSession>> => {
    const wanted = new Set(all.filter((sender) => sender !== null));
    const known = new Map<number, OpenSession>();
    for (const sender of wanted) {
      const one = open.get(owners.get(sender) ?? "");
      if (one !== undefined) known.set(sender, one);
    }
    const unknown = [...wanted].filter((sender) => !known.has(sender));
    const kept = unknown.length === 0 ? [] : await store.ofSenders(unknown);
    return new Map([...known, ...[...kept].map(([sender, one]) => [sender, open.get(one.id) ?? one] as const)]);
  };
  const statementsOf = ({ begun: fresh, changed: all, owners: own, parts, joined: gone }: Assigned): Statement[] => [
    ...fresh.map(begun),
    ...[...all.values()].map(changed),
    ...[...own].map(([sender, id]) => owned(sender, gone.get(id) ?? id)),
    ...[...gone].flatMap(([id, into]) => mergeSessions(id, into)),
    ...(parts.length === 0 ? [] : [parted(parts)]),
    ...(fresh.length === 0 ? [] : madeRoom(needs.sessionsMax ?? sessionsMax)),
  ];
  const follow = async (): Promise<boolean> => {
    if (place === undefined) return false;
    const rows = await store.after(place, batchMax);
    const last = rows.at(-1);
    if (last === undefined) {
      isCaughtUp = true;
      return false;
    }
    const near = new Map([...open, ...recent.filter(isRecent).map((one) => [one.id, one] as const)]);
    const known = { near, ofSenders: await ofSenders(rows.map(({ sender }) => sender)), lastPart };
    const found = assign(rows, known, { senders, life, gameOf });
    await write(...statementsOf(found), followedUpTo(last.seq));
    place = last.seq;
    lastPart = found.lastPart;
    for (const id of found.joined.keys()) open.delete(id);
    for (const [sender, id] of found.owners) owners.set(sender, found.joined.get(id) ?? id);
    take(found.changed.values());
    hasNews = true;
    if (found.changed.size > 0) onChanged();
    isCaughtUp = rows.length < batchMax;
    return !isCaughtUp;
  };

  /** Undefined while it goes on. */
  const endOf = (one: OpenSession, isTooMany: boolean): Pick<OpenSession, "endedMs" | "ending"> | undefined => {
    const lastMs = one.lastMs ?? one.startedMs;
    const quiet = { endedMs: lastMs, ending: "quiet" } as const;
    if (isTooMany) return quiet;
    if (one.process === null) return isNear(one, now()) ? undefined : quiet;
    if (life.isAlive(one.process)) {
      seen.add(one.id);
      return undefined;
    }
    // It was seen to run at the look before, or it began and ended between two looks.
    if (seen.has(one.id)) return { endedMs: Math.max(now(), lastMs), ending: "ended" };
    return { endedMs: lastMs, ending: lastMs >= sinceMs ? "ended" : "unseen" };
  };
  const look = async (): Promise<void> => {
    if (!isCaughtUp) return;
    const byAge = [...open.values()].sort((one, other) => (other.lastMs ?? 0) - (one.lastMs ?? 0));
    const ended = byAge.flatMap((one, index) => {
      const end = endOf(one, index >= openMax);
      return end === undefined ? [] : [{ ...one, ...end }];
    });
    const forgetting = hasNews ? [partsForgotten()] : [];
    if (ended.length + forgetting.length === 0) return;
    await write(...ended.map(changed), ...forgetting);
    hasNews = false;
    take(ended);
    if (ended.length > 0) onChanged();
  };

  const gameNow = ({ game, told, sender }: SessionAssignment): string | null => {
    if (sender !== null) return senders.factsOf(sender) === undefined ? game : senders.gameOf(sender);
    return told === null ? game : gameOf(...told);
  };
  const refile = async (): Promise<void> => {
    const filings = (await store.filings()).map((filing) => ({ ...filing, now: gameNow(filing) }));
    const moved = filings.filter((filing) => filing.now !== filing.game).map(({ id, now: game }) => ({ id, game }));
    if (moved.length === 0) return;
    await write(refiled(moved));
    for (const { id, game } of moved) {
      const one = open.get(id);
      if (one !== undefined) open.set(id, { ...one, game });
    }
    onChanged();
  };

  return {
    load: () =>
      serialize(async () => {
        const [sittings, all, at] = await Promise.all([store.open(), store.ownersOfOpen(), store.place()]);
        open = new Map(sittings.map((one) => [one.id, one]));
        owners = all;
        place = at;
      }),
    follow: () => serialize(follow),
    look: () => serialize(look),
    refile: () => serialize(refile),
    change: (find, change) =>
      serialize(async () => {
        const found = await find();
        const known = found && (open.get(found.id) ?? found);
        const { one, sender, writes = [] } = change(known);
        const own = sender === undefined ? [] : [owned(sender, one.id)];
        await write(...writes, ...saved(one, known === undefined), ...own);
        if (sender !== undefined && !isReported(one)) owners.set(sender, one.id);
        take([one]);
        onChanged();
        return one;
      }),
  };
}
