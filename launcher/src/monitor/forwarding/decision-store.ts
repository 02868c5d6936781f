// SQL of what a person decides about a target: the switches that they change.
import { type ForwardSwitch, type ForwardTarget, forwardDecisionsMax } from "@kit/contract";
import { concatSql, isoTime, type Statement, sql } from "../../storage/sql.ts";

type Decisions = ForwardTarget["decisions"];

/** Whether each switch of a target is on. */
const switchColumns = {
  reports: sql`enabled`,
  earlierEvents: sql`earlier_events`,
  installation: sql`(installation IS NOT NULL)`,
  videos: sql`videos`,
} as const satisfies Record<ForwardSwitch, Statement>;

/** Keeps which switches a change turns on or off, and forgets the oldest changes. Must run before the change. */
export const recordDecisions = (
  target: string,
  switches: Readonly<Partial<Record<ForwardSwitch, boolean | undefined>>>,
  atMs: number,
): Statement[] => [
  ...Object.entries(switches).flatMap(([name, on]) =>
    on === undefined
      ? []
      : [
          concatSql(
            sql`
            INSERT INTO forward_decision (target_seq, at_ms, switch, is_on)
            SELECT seq, ${atMs}, ${name}, ${Number(on)} FROM forward_target WHERE id = ${target} AND ${Number(on)} <> `,
            switchColumns[name as ForwardSwitch],
          ),
        ],
  ),
  sql`
    DELETE FROM forward_decision WHERE seq IN (
      SELECT seq FROM forward_decision WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target})
      ORDER BY seq DESC LIMIT -1 OFFSET ${forwardDecisionsMax})`,
];

/** The number of the newest event that was acknowledged. */
const newestEvent = sql`max((SELECT seq FROM event_floor), coalesce((SELECT max(seq) FROM event), 0))`;

/**
 * Notes that a person agrees now, unless the target is switched on already: reports that were acknowledged before are not forwarded. Must
 * run before the target is switched on, in the same transaction.
 */
export const agreeFromNow = (target: string): Statement[] => [
  concatSql(sql`UPDATE forward_target SET agreed_seq = `, newestEvent, sql` WHERE id = ${target} AND NOT enabled`),
  // Reports of a flood are not in the journal.
  sql`
    UPDATE issue_tally SET not_for = json_insert(not_for, '$[#]', t.seq) FROM forward_target AS t
    WHERE t.id = ${target} AND NOT t.enabled`,
];

/**
 * Notes that a person lets a target that is switched on take another game, or all of them: of games that it did not have, reports that were
 * acknowledged before are not forwarded. Must run before the change, in the same transaction.
 */
export const widenFromNow = (target: string, game: string | null): Statement[] => {
  const isWider = sql`t.id = ${target} AND t.enabled AND t.game IS NOT NULL AND t.game IS NOT ${game}`;
  return [
    concatSql(
      sql`
      UPDATE forward_target AS t SET agreed_seq = iif(widened_from IS game, agreed_seq, max(agreed_seq, widened_seq)), widened_seq = `,
      newestEvent,
      sql`, widened_from = game WHERE `,
      isWider,
    ),
    concatSql(
      sql`
      UPDATE issue_tally SET not_for = json_insert(not_for, '$[#]', t.seq)
      FROM forward_target AS t, issue_fingerprint AS f JOIN issue AS i ON i.seq = f.issue_seq
      WHERE f.seq = issue_tally.fingerprint_seq AND t.game <> coalesce(i.game, 'unsorted') AND `,
      isWider,
    ),
  ];
};

/** Up to which number in the journal the target `t` gets no reports of the issue `i`. */
export const agreedUpTo = sql`iif(t.widened_from IS coalesce(i.game, 'unsorted'), t.agreed_seq, max(t.agreed_seq, t.widened_seq))`;

/** The column with the decisions of the target `t`, newest first. */
export const decisionsColumn = sql`
  (SELECT json_group_array(json_array(at_ms, switch, is_on) ORDER BY seq DESC) FROM forward_decision WHERE target_seq = t.seq) AS decisions`;

export const decisionsOf = (column: unknown): Decisions =>
  (JSON.parse(String(column)) as [number, ForwardSwitch, number][]).map(([atMs, name, on]) => ({
    at: isoTime(atMs),
    switch: name,
    on: on === 1,
  }));
