// Updates a post when its footage exists or never will: fills in its texts, and continues or asks a person.

import { type PostFootage, type PostSettings, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Serialize } from "../../async.ts";
import type { Statement } from "../../storage/sql.ts";
import { fillTemplate } from "../rules/template.ts";
import { type EventLabelOf, templateValues } from "../rules/template-values.ts";
import { attachmentName } from "../text-fit.ts";
import { type EventFootage, footageOfPost } from "./post-footage.ts";
import type { StoredPost } from "./post-row.ts";
import { type PostStore, type PostUpdate, returnToDraft, updatePost } from "./post-store.ts";
import type { FindProblems } from "./problems.ts";
import type { ReceiptStatement } from "./receipts.ts";

const anHourMs = 3_600_000;

export type FootageArrivalDeps = {
  readonly store: Pick<PostStore, "find">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly findProblems: FindProblems;
  readonly settings: () => Promise<PostSettings>;
  readonly receiptStatement: ReceiptStatement;
  readonly now: () => number;
  readonly labelOf: EventLabelOf;
  readonly onChanged: () => void;
};

/** Returns the post with this footage, and its problem if it has one. Text that a person wrote stays as it is. */
export async function applyFootage(
  kept: StoredPost,
  footage: PostFootage,
  { findProblems, labelOf }: Pick<FootageArrivalDeps, "findProblems" | "labelOf">,
) {
  const { post, without, textLater, altLater } = kept;
  const { eventId, game, happenedAt } = post;
  const isReady = footage.state === "ready";
  const clipSeconds = isReady ? footage.seconds : null;
  const values = templateValues({ eventId, game, atMs: Date.parse(happenedAt), clipSeconds }, labelOf);
  const text = isReady && textLater !== null ? fillTemplate(textLater, values) : post.text;
  const altText = isReady && altLater !== null ? fillTemplate(altLater, values) : post.altText;
  const { contentWarning, attach, visibility } = post;
  const [problem] = await findProblems({ ...post, text, footage, without });
  const words = { text, altText, contentWarning, attach, visibility };
  const changed: PostUpdate = { ...words, footage, textLater, altLater, asks: problem?.says ?? null };
  return { changed, problem };
}

export function createFootageArrivalHandler(needs: FootageArrivalDeps) {
  const { store, write, serialize, settings, receiptStatement, now, onChanged } = needs;
  return (waiting: StoredPost, came: EventFootage): Promise<void> =>
    serialize(async () => {
      const kept = await store.find(waiting.post.id);
      // Does nothing if a person changed the attachment meanwhile.
      if (kept?.post.footage.state !== "pending" || kept.post.attach !== waiting.post.attach) return;
      const { changed: post } = await applyFootage(kept, footageOfPost(kept.post.attach, came), needs);
      const statements = [updatePost(kept.seq, post)];
      if (kept.post.state === "approved" && post.asks !== null) {
        const { expireHours } = await settings();
        statements.push(
          returnToDraft(kept.seq, now() + expireHours * anHourMs, post.asks),
          receiptStatement(kept, "drafted", message("post.not_sent_yet", { problem: post.asks })),
        );
      } else if (kept.post.state === "approved" && post.footage.state === "missing") {
        const reason = { attachment: attachmentName(post.attach), reason: post.footage.says ?? "" };
        statements.push(receiptStatement(kept, "approved", message("post.goes_without", reason)));
      } else if (
        kept.post.state === "draft" &&
        post.asks !== null &&
        textOf(post.asks) !== textOf(kept.post.asks ?? "")
      ) {
        statements.push(receiptStatement(kept, "drafted", post.asks));
      }
      await write(...statements);
      onChanged();
    });
}
