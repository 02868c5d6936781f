// A post's footage came, or cannot be had: its texts are filled in whole, and it goes on, or asks a person.
import type { PostFootage, PostSettings } from "@kit/contract";
import type { Serialize } from "../../async/serial.ts";
import type { Statement } from "../../storage/sql.ts";
import { filled } from "../rules/template.ts";
import { valuesOf, type WordsOf } from "../rules/values.ts";
import { type Footage, footageFor } from "./asked-footage.ts";
import type { Judge } from "./judge.ts";
import type { StoredPost } from "./post-row.ts";
import { draftAgain, type Edited, edited, type PostStore } from "./post-store.ts";
import type { Said } from "./receipts.ts";

const anHourMs = 3_600_000;

export type ArrivalNeeds = {
  readonly store: Pick<PostStore, "find">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly judge: Judge;
  readonly settings: () => Promise<PostSettings>;
  readonly said: Said;
  readonly now: () => number;
  readonly wordsOf: WordsOf;
  readonly onChanged: () => void;
};

/** The post with that footage. What a person wrote stays as they wrote it. */
export async function withFootage(
  kept: StoredPost,
  footage: PostFootage,
  { judge, wordsOf }: Pick<ArrivalNeeds, "judge" | "wordsOf">,
) {
  const { post, without, textLater, altLater } = kept;
  const { eventId, game, happenedAt } = post;
  const isReady = footage.state === "ready";
  const clipSeconds = isReady ? footage.seconds : null;
  const values = valuesOf({ eventId, game, atMs: Date.parse(happenedAt), clipSeconds }, wordsOf);
  const text = isReady && textLater !== null ? filled(textLater, values) : post.text;
  const altText = isReady && altLater !== null ? filled(altLater, values) : post.altText;
  const { contentWarning, attach, visibility } = post;
  const [problem] = await judge({ ...post, text, footage, without });
  const words = { text, altText, contentWarning, attach, visibility };
  const changed: Edited = { ...words, footage, textLater, altLater, asks: problem?.says ?? null };
  return { changed, problem };
}

export function createArrival(needs: ArrivalNeeds) {
  const { store, write, serialize, settings, said, now, onChanged } = needs;
  return (waiting: StoredPost, came: Footage): Promise<void> =>
    serialize(async () => {
      const kept = await store.find(waiting.post.id);
      // A person may have decided meanwhile to show something else, or nothing.
      if (kept?.post.footage.state !== "pending" || kept.post.attach !== waiting.post.attach) return;
      const { changed: post } = await withFootage(kept, footageFor(kept.post.attach, came), needs);
      const statements = [edited(kept.seq, post)];
      if (kept.post.state === "approved" && post.asks !== null) {
        const { expireHours } = await settings();
        statements.push(
          draftAgain(kept.seq, now() + expireHours * anHourMs, post.asks),
          said(kept, "drafted", `not sent yet: ${post.asks}`),
        );
      } else if (kept.post.state === "approved" && post.footage.state === "missing") {
        statements.push(said(kept, "approved", `it goes without its ${post.attach}: ${post.footage.says}`));
      } else if (kept.post.state === "draft" && post.asks !== null && post.asks !== kept.post.asks) {
        statements.push(said(kept, "drafted", post.asks));
      }
      await write(...statements);
      onChanged();
    });
}
