// Who sends events, run by run, and which game that is: told by the ids of its triggers, each time it is asked.
import { createHash } from "node:crypto";
import type { EventKind } from "@kit/contract";
import { isOfProgram, isSharedOrigin } from "../http/admission/origin.ts";
import type { Statement } from "../storage/sql.ts";
import type { Peer } from "./process-lookup/processes.ts";
import {
  forgetSender,
  nameSender,
  type StoredSender,
  saveEventId,
  saveSender,
  type TriggerId,
} from "./sender-store.ts";

export const sendersMax = 2_000;
/** A page is one run for as long as it is heard of this often. */
const pageRunMs = 600_000;
/** Ids of other games are looked for among the first ones only. */
const eventIdsMax = 8;

type Run = Omit<StoredSender, "program" | "game"> & {
  program: string;
  game: string | null;
  readonly eventIds: TriggerId[];
  peer: Peer | undefined;
  seenAtMs: number;
  isSaved: boolean;
};

/** What has to be written with an event, and what to do once it is durable. */
type Learnt = { readonly writes: readonly Statement[]; readonly committed?: () => void };

/** What tells when a run ends: its process, by id and start; a page or a run of `kit run` is not told by one. */
export type RunFacts = {
  readonly by: "process" | "page" | "kit run";
  readonly process: { readonly pid: number; readonly startedAt: string } | null;
  /** The id that `kit run` gave it. */
  readonly run: string | null;
};

export type Senders = {
  load(): Promise<void>;
  /** By its program, or by its page; null where neither says who it is. */
  idOf(peer: Peer | undefined, origin: string | null, client: string | null): number | null;
  peerOf(id: number | null): Peer | undefined;
  /** Undefined where it is no longer known. */
  factsOf(id: number): RunFacts | undefined;
  /** A person started a run by `kit run`, and may have named its game; it is the sender of all that comes from it. */
  started(run: string, likeness: string, game: string | null): { readonly id: number } & Learnt;
  /** An event of it arrives. */
  arrived(id: number | null, kind: EventKind, eventId: string | null): Learnt;
  gameOf(id: number | null): string | null;
  /** Those that are filed under a game; null: under any. */
  filedUnder(game: string | null): readonly number[];
  /** Games were registered, forgotten or corrected. */
  gamesChanged(): void;
};

export type SendersNeeds = {
  readonly load: (max: number) => Promise<readonly StoredSender[]>;
  readonly now: () => number;
  readonly gameOf: (kind: EventKind, eventId: string) => string | null;
  readonly isRegistered: (game: string) => boolean;
  /** The id `kit run` gave the run that a program is part of; asked once a program. */
  readonly runOf?: (peer: Peer) => string | undefined;
  /** A sender may be filed elsewhere now. */
  readonly onLearnt: () => void;
};

/** Command lines may hold secrets: what is kept of them only tells whether two are the same. */
const digestOf = (...parts: readonly string[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 22);
/** One that serves many games, or that any page can claim. All NW.js games of one package name have the same, too. */
const isNobody = (origin: string) =>
  origin === "null" || origin === "file://" || isOfProgram(origin) || isSharedOrigin(origin);
const nothing: Learnt = { writes: [] };
/** Before the id of a run that `kit run` started. */
const startedRun = "run ";

/** As `ofPeer`, `ofStarted` and `ofPage` name runs. */
function factsIn(name: string): RunFacts {
  if (name.startsWith(startedRun)) return { by: "kit run", process: null, run: name.slice(startedRun.length) };
  const [, pid, ...startedAt] = name.split(" ");
  if (pid === undefined) return { by: "page", process: null, run: null };
  return { by: "process", process: { pid: Number(pid), startedAt: startedAt.join(" ") }, run: null };
}

export function createSenders({ load, now, gameOf, isRegistered, runOf, onLearnt }: SendersNeeds): Senders {
  /** The one heard of last is the last. */
  const runs = new Map<number, Run>();
  const byRun = new Map<string, Run>();
  /** The page's run of now, by origin and client. */
  const pages = new Map<string, Run>();
  /** Of each program the run that last said which game it is. */
  const told = new Map<string, Run>();
  const ofPeers = new WeakMap<Peer, Run>();
  let games = new Map<number, string | null>();
  let isLoaded = false;
  let lastId = 0;
  /** Still on disk. */
  let forgotten: readonly number[] = [];

  const keep = (run: Run) => {
    runs.set(run.id, run);
    byRun.set(run.run, run);
    lastId = Math.max(lastId, run.id);
    if (run.eventIds.length > 0) told.set(run.program, run);
    const [oldest] = runs.values();
    if (runs.size <= sendersMax || oldest === undefined) return;
    runs.delete(oldest.id);
    byRun.delete(oldest.run);
    games.delete(oldest.id);
    if (told.get(oldest.program) === oldest) told.delete(oldest.program);
    for (const [page, run] of pages) if (run === oldest) pages.delete(page);
    forgotten = [...forgotten, oldest.id];
  };
  const seen = (run: Run): Run => {
    run.seenAtMs = now();
    runs.delete(run.id);
    runs.set(run.id, run);
    return run;
  };
  const begin = (program: string, run: string): Run => {
    const known = { eventIds: [], game: null, peer: undefined, seenAtMs: now(), isSaved: false };
    const begun = { id: lastId + 1, program, run, ...known };
    keep(begun);
    return begun;
  };
  /** Whatever `kit run` started, and what that started, is one run. */
  const ofStarted = (peer: Peer, program: string): Run | undefined => {
    const name = runOf?.(peer);
    return name === undefined
      ? undefined
      : (byRun.get(`${startedRun}${name}`) ?? begin(program, `${startedRun}${name}`));
  };
  const ofPeer = (peer: Peer): Run => {
    const known = ofPeers.get(peer);
    if (known !== undefined && runs.has(known.id)) return seen(known);
    const program = digestOf(peer.path, peer.command, peer.folder);
    const name = `${program} ${peer.pid} ${peer.startedAt}`;
    const run = byRun.get(name) ?? ofStarted(peer, program) ?? begin(program, name);
    run.peer = peer;
    ofPeers.set(peer, run);
    return seen(run);
  };
  const ofPage = (origin: string, client: string | null): Run => {
    const page = `${origin} ${client}`;
    const known = pages.get(page);
    if (known !== undefined && now() - known.seenAtMs < pageRunMs) return seen(known);
    const run = begin(digestOf(origin), digestOf(page, String(now()), String(lastId)));
    pages.set(page, run);
    return run;
  };

  /** A sender of several games' ids is the one of them that a person registered, or nobody's. */
  const gameOfIds = (eventIds: Run["eventIds"]): string | null => {
    const found = new Set(eventIds.map(([kind, eventId]) => gameOf(kind, eventId)).filter((game) => game !== null));
    const [only = null, ...others] = found.size === 1 ? found : [...found].filter(isRegistered);
    return others.length === 0 ? only : null;
  };
  const find = (run: Run): string | null => {
    if (run.game !== null) return run.game;
    const teller = run.eventIds.length > 0 ? run : told.get(run.program);
    return teller === undefined ? null : gameOfIds(teller.eventIds);
  };
  const gameOfRun = (run: Run): string | null => {
    const known = games.get(run.id);
    if (known !== undefined) return known;
    const game = find(run);
    games.set(run.id, game);
    return game;
  };
  const isNews = ({ eventIds }: Run, [kind, eventId]: TriggerId) =>
    eventIds.length < eventIdsMax && !eventIds.some(([known, id]) => known === kind && id === eventId);
  const learn = (run: Run, news: TriggerId) => {
    run.eventIds.push(news);
    told.set(run.program, run);
    games = new Map();
    onLearnt();
  };

  return {
    async load() {
      for (const stored of await load(sendersMax)) {
        keep({ ...stored, eventIds: [...stored.eventIds], peer: undefined, seenAtMs: 0, isSaved: true });
      }
      isLoaded = true;
    },
    idOf(peer, origin, client) {
      if (!isLoaded) return null;
      if (peer !== undefined) return ofPeer(peer).id;
      return origin === null || isNobody(origin) ? null : ofPage(origin, client).id;
    },
    peerOf: (id) => (id === null ? undefined : runs.get(id)?.peer),
    factsOf(id) {
      const run = runs.get(id);
      return run && factsIn(run.run);
    },
    started(name, likeness, game) {
      const program = digestOf(likeness);
      const run = seen(byRun.get(`${startedRun}${name}`) ?? begin(program, `${startedRun}${name}`));
      return {
        id: run.id,
        writes: [nameSender({ ...run, program, game })],
        committed() {
          run.isSaved = true;
          run.program = program;
          run.game = game ?? run.game;
          if (run.eventIds.length > 0) told.set(program, run);
          games = new Map();
          onLearnt();
        },
      };
    },
    arrived(id, kind, eventId) {
      const run = id === null ? undefined : runs.get(id);
      if (run === undefined) return nothing;
      const news = eventId !== null && isNews(run, [kind, eventId]) ? ([kind, eventId] as const) : undefined;
      if (run.isSaved && news === undefined) return nothing;
      const gone = run.isSaved ? [] : forgotten;
      const saved = run.isSaved ? [] : [saveSender(run), ...gone.map(forgetSender)];
      return {
        writes: [...saved, ...(news === undefined ? [] : [saveEventId(run.id, news)])],
        committed() {
          run.isSaved = true;
          if (gone.length > 0) forgotten = forgotten.filter((id) => !gone.includes(id));
          // Two events can share a commit.
          if (news !== undefined && isNews(run, news)) learn(run, news);
        },
      };
    },
    gameOf(id) {
      const run = id === null ? undefined : runs.get(id);
      return run === undefined ? null : gameOfRun(run);
    },
    filedUnder: (game) =>
      [...runs.values()]
        .filter((run) => (game === null ? gameOfRun(run) !== null : gameOfRun(run) === game))
        .map(({ id }) => id),
    gamesChanged() {
      games = new Map();
    },
  };
}
