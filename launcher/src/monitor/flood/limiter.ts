// Stands before the journal: of a flood of reports it lets some in and has the others counted only; all else goes in.
import type { KitEvent } from "@kit/contract";
import { type Identity, identityOf, laneOf, nameOf, overflowOf, overflowVersion } from "../grouping/group.ts";
import type { Recognised } from "../grouping/recognise.ts";
import { type Sampling, sample, unsampled } from "../grouping/sampling.ts";
import { createBatches } from "./batches.ts";
import { createNewIssueQuota } from "./new-issue-quota.ts";
import { createPendingIssues } from "./pending-issues.ts";
import { createTally, type WriteCounts } from "./tally.ts";

/** A report as it arrives, not written down yet; who sent it may take a while to find out. */
type Anonymous = Pick<KitEvent, "origin" | "client"> & {
  readonly message: string;
  readonly stackTrace: string;
  readonly atMs: number;
};
export type Arriving = Anonymous & Pick<KitEvent, "game">;

/** A kind that has its issue, how often it came, the newest of its reports that is kept, and from whom they came. */
type Met = {
  readonly identity: Identity;
  readonly count: number;
  readonly event: string;
  readonly from: readonly Pick<KitEvent, "origin" | "client">[];
};
/** A kind for which there was no room. */
type TurnedAway = { readonly lane: string; readonly name: string };

export type GateNeeds = {
  readonly recognise: (message: string, stackTrace: string) => Read;
  /** Those of the kinds that have an issue, by name. */
  readonly known: (identities: readonly Identity[]) => Promise<{ has(name: string): boolean }>;
  /** Adds to the counts of kinds that have their issue. */
  readonly write: WriteCounts;
};

export type Gate = {
  /**
   * The same as `countOnly` before it is known which game sent it, where it is like those of one game only: finding that
   * out costs more than counting. Decided at once: `in` where it was let in, undefined where nothing was decided.
   */
  countAlike(report: Anonymous): Promise<string> | "in" | undefined;
  /**
   * Undefined lets the report in. Else it was counted, durably, and the id is that of a kept report of its kind. Rejects
   * as `write` does: then it was not counted.
   */
  countOnly(report: Arriving): Promise<string | undefined>;
  /** These have an issue from now on, those are counted with all that are too many. */
  met(kinds: readonly Met[], turnedAway: readonly TurnedAway[]): void;
  /** A person changed issues or switches, or some were removed: what comes next of any kind goes in, and is looked at anew. */
  forget(): void;
};

type Kind = { readonly identity: Identity; number: number; sampling: Sampling; event: string };
type Read = Pick<Recognised, "version" | "key">;

/** Neither header can hold the end of a line. */
const alikeOf = ({ origin, client }: Pick<KitEvent, "origin" | "client">, { version, key }: Read) =>
  `${version} ${origin ?? ""}\n${client ?? ""}\n${key}`;

/** Kinds remembered; one that is forgotten is let in and met again. */
const kindsMax = 5_000;

export function createGate({ recognise, known, write }: GateNeeds): Gate {
  const kinds = new Map<string, Kind>();
  /** The kinds of different games that look the same before their sender is known. */
  const alike = new Map<string, Set<Kind>>();
  const strangers = createNewIssueQuota();
  const unmet = createPendingIssues();
  const tally = createTally(write);
  const look = createBatches(known);

  /** An issue that is removed for good at that very moment takes the count along. */
  const countKnown = (kind: Kind, atMs: number): Promise<string> | undefined => {
    kind.number += 1;
    const { after, chosen } = sample(kind.sampling, kind.number, atMs);
    kind.sampling = after;
    if (chosen) return undefined;
    const { identity, event } = kind;
    return tally({ identity, atMs }).then(() => event);
  };
  const leave = (name: string) => {
    const kind = kinds.get(name);
    kinds.delete(name);
    for (const [text, same] of alike) if (kind && same.delete(kind) && same.size === 0) alike.delete(text);
  };
  return {
    countAlike(report) {
      const same = alike.get(alikeOf(report, recognise(report.message, report.stackTrace)));
      if (same?.size !== 1) return undefined;
      const [kind] = same;
      return kind && (countKnown(kind, report.atMs) ?? "in");
    },
    async countOnly(report) {
      const { atMs } = report;
      const lane = laneOf(report);
      const identified = { event: report, lane, recognised: recognise(report.message, report.stackTrace) };
      const identity = identityOf(identified);
      const name = nameOf(identity);
      const isWelcome = () => strangers.isOneOfFew(lane, name, atMs);
      if (!kinds.has(name) && isWelcome() && !(await unmet.arrive(name))) return undefined;
      // Whoever waited finds it met, turned away, or still on its way.
      const kind = kinds.get(name);
      if (kind !== undefined) return countKnown(kind, atMs);
      if (isWelcome()) return undefined;
      const overflow = kinds.get(nameOf(overflowOf(identified)));
      // A kind from before this start is none of the flood.
      if (overflow === undefined || (await look(identity)).has(name)) return undefined;
      return countKnown(overflow, atMs);
    },
    met(all, turnedAway) {
      for (const { lane, name } of turnedAway) {
        strangers.turnAway(lane, name);
        unmet.met(name);
      }
      for (const { identity, count, event, from } of all) {
        const name = nameOf(identity);
        const kind = kinds.get(name) ?? { identity, number: count, sampling: unsampled, event };
        kind.event = event;
        kinds.delete(name);
        kinds.set(name, kind);
        unmet.met(name);
        if (identity.version !== overflowVersion) {
          for (const text of new Set(from.map((one) => alikeOf(one, identity))))
            alike.set(text, (alike.get(text) ?? new Set()).add(kind));
        }
        if (kinds.size > kindsMax) leave(kinds.keys().next().value ?? name);
      }
    },
    forget() {
      kinds.clear();
      alike.clear();
    },
  };
}
