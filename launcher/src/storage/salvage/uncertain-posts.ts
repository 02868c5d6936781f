// SQL that marks unfinished deliveries of an older copy of the data as uncertain, because they may have been sent since. Kit sends
// none of them again; a person decides.
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
