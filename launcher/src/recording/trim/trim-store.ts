// A part of a clip in SQL: promised, with the events of the whole that lie in it, and its tags.
import type { Clip } from "@kit/contract";
import { type Statement, sql } from "../../storage/sql.ts";
import type { Plan } from "../plan.ts";

type Whole = { readonly id: string; readonly backend: Clip["backend"] };

/** Its events stay the whole's, too: clip_moment has each in one clip only. */
export const promisedPart = (plan: Plan, { id, backend }: Whole): Statement[] => [
  sql`
    INSERT INTO clip (id, kind, state, title, game, from_ms, to_ms, priority, backend, trimmed_from, part_moments)
    VALUES (${plan.id}, 'clip', 'pending', ${plan.title}, ${plan.game}, ${plan.fromMs}, ${plan.toMs}, ${plan.priority},
      ${backend}, ${id}, ${JSON.stringify(
        plan.moments.map(({ event, seq, kind, eventId, label, atMs }) => [event, seq, kind, eventId, label, atMs]),
      )})`,
  sql`
    INSERT INTO clip_tag (clip_seq, key, tag)
    SELECT (SELECT seq FROM clip WHERE id = ${plan.id}), key, tag
    FROM clip_tag WHERE clip_seq = (SELECT seq FROM clip WHERE id = ${id})`,
];
