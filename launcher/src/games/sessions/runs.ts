// What `kit run` says of a run: the run's session, and the report of its crash.
import { randomUUIDv7 } from "node:crypto";
import { type GameSession, oneLine, type RunReport } from "@kit/contract";
import type { Senders } from "../senders.ts";
import { verdictOn } from "./crash.ts";
import type { Keeper } from "./keeper.ts";
import { type OpenSession, showSession, unstarted } from "./open-session.ts";
import type { ProcessLife } from "./process-life.ts";
import type { SessionStore } from "./session-store.ts";

export type RunsNeeds = {
  readonly keeper: Pick<Keeper, "change">;
  readonly store: Pick<SessionStore, "ofRun">;
  readonly senders: Pick<Senders, "started" | "gameOf">;
  readonly life: Pick<ProcessLife, "nameOf">;
  readonly now: () => number;
  /** A person named it: its events are filed under it from now on. */
  readonly register: (game: string) => Promise<unknown>;
  /** Takes a report in as if the run had sent it; resolves with its id once it is durable. */
  readonly report: (sender: number, crash: Crash) => Promise<{ readonly id: string }>;
};

type Crash = { readonly message: string; readonly stackTrace: string; readonly timestamp: string };
type Begun = { readonly sender: number; readonly one: OpenSession };

/** Idempotent: a run that is reported again is the same, and its crash is reported once. */
export function createRuns({ keeper, store, senders, life, now, register, report }: RunsNeeds) {
  /** A clock of another process may be a little ahead of this look at it. */
  const msOf = (iso: string) => Math.min(Date.parse(iso), now());

  const endOf = ({ ended }: RunReport, startedMs: number): Partial<OpenSession> => {
    if (ended === undefined) return {};
    const { ending, signal } = verdictOn(ended);
    return { endedMs: Math.max(startedMs, msOf(ended.at)), ending, exitCode: ended.exitCode, signal };
  };
  const keep = async (said: RunReport): Promise<Begun> => {
    if (said.game !== undefined) await register(said.game);
    const { id: sender, writes, committed } = senders.started(said.run, said.likeness, said.game ?? null);
    const one = await keeper.change(
      () => store.ofRun(said.run),
      (known = { ...unstarted, id: randomUUIDv7(), startedMs: msOf(said.startedAt) }) => {
        const startedMs = Math.min(known.startedMs, msOf(said.startedAt));
        const process = said.ended === undefined ? (life.nameOf(said.pid) ?? known.process) : known.process;
        const game = said.game ?? known.game ?? senders.gameOf(sender);
        const { run, program } = said;
        return { one: { ...known, run, program, game, process, startedMs, ...endOf(said, startedMs) }, sender, writes };
      },
    );
    committed?.();
    return { sender, one };
  };

  return async function record(said: RunReport): Promise<GameSession> {
    const { sender, one } = await keep(said);
    const verdict = said.ended && verdictOn(said.ended);
    if (said.ended === undefined || verdict?.ending !== "crashed" || one.crashEvent !== null) return showSession(one);
    // Its name keeps crashes of different games apart where they end with the same signal.
    const name = oneLine(senders.gameOf(sender) ?? one.game ?? said.program);
    const { at: timestamp, output: stackTrace = "" } = said.ended;
    const { id: crashEvent } = await report(sender, {
      message: `${name} crashed: ${verdict.says}`,
      stackTrace,
      timestamp,
    });
    const find = () => store.ofRun(said.run);
    return showSession(await keeper.change(find, (known = one) => ({ one: { ...known, crashEvent } })));
  };
}
