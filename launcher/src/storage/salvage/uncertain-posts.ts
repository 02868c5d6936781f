// SQL that marks unfinished deliveries and triggers of an older copy of the data as uncertain, because they may have been posted since.
// Kit posts none of them again; a person decides.
import { message } from "@kit/contract/messages";
import { type Statement, sql, toMessageColumn } from "../sql.ts";

export const unknownOutcomeMessage = message("post.unknown_delivery");

export const uncertainPosts = (): readonly Statement[] => [
  sql`
    UPDATE delivery SET state = 'maybe', says = ${toMessageColumn(unknownOutcomeMessage)}
    WHERE state IN ('waiting', 'preparing', 'sending')
      AND post_seq IN (SELECT seq FROM post WHERE state IN ('approved', 'sending', 'sent'))`,
  sql`
    UPDATE post SET state = CASE
      WHEN EXISTS (SELECT 1 FROM delivery WHERE post_seq = post.seq AND state = 'maybe') THEN 'unsure'
      WHEN EXISTS (SELECT 1 FROM delivery WHERE post_seq = post.seq AND state = 'sent') THEN 'sent'
      ELSE 'failed' END
    WHERE state IN ('approved', 'sending', 'sent')`,
];

/** Must be run after the events are in place. Rules make no posts of the triggers that wait. */
export const uncertainTriggers = (nowMs: number): readonly Statement[] => [
  sql`
    INSERT INTO receipt (event_seq, state, at_ms, by, reason)
    SELECT seq, 'failed', ${nowMs}, 'social', ${toMessageColumn(unknownOutcomeMessage)} FROM event
    WHERE kind = 'social' AND status = 'accepted' AND NOT EXISTS (SELECT 1 FROM receipt WHERE event_seq = event.seq)
      AND seq > coalesce((SELECT seq FROM hand_over WHERE slice = 'social'), 0)`,
  sql`
    INSERT INTO hand_over (slice, seq) SELECT 'social', max(seq) FROM event WHERE kind = 'social' HAVING max(seq) IS NOT NULL
    ON CONFLICT (slice) DO UPDATE SET seq = max(seq, excluded.seq)`,
];
