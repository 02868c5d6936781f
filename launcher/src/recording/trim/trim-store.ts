// Stores a planned trim with the moments and tags that it takes over from its clip.
import type { Clip } from "@kit/contract";
import { type Statement, sql } from "../../storage/sql.ts";
import type { ClipPlan } from "../clip-plan.ts";

type Whole = { readonly id: string; readonly backend: Clip["backend"] };

/** The moments also stay with the original clip: clip_moment has each event in one clip only, so a trim stores its own copy. */
export const insertTrim = (plan: ClipPlan, { id, backend }: Whole): Statement[] => [
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
