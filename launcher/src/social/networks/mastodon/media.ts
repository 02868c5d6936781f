// Files on their way to a post. Larger ones are prepared while nobody waits: 202, then 206 until they are ready
// (https://docs.joinmastodon.org/methods/media/#v2).
import { setTimeout as wait } from "node:timers/promises";
import { fileOf } from "../media-file.ts";
import type { Access, Media, Outcome, TryNeeds } from "../network.ts";
import { type Answer, ask, outcomeOf, textOf } from "./ask.ts";

const pollMs = 1_500;
const pollForMs = 5 * 60_000;
const patienceMs = 30_000;
/** Slower than this and an upload is given up. */
const bytesPerMs = 32;

export type Attached = { readonly id: string } | { readonly not: Outcome };

const later = (says: string): Attached => ({ not: { outcome: "later", says, notBeforeMs: null } });
const notOf = (answer: Answer, nowMs: number): Attached => ({ not: outcomeOf(answer, nowMs, false) });

async function upload(access: Access, file: File, altText: string, needs: TryNeeds): Promise<Answer> {
  const body = new FormData();
  body.set("file", file);
  if (altText !== "") body.set("description", altText);
  const withinMs = patienceMs + Math.ceil(file.size / bytesPerMs);
  return ask(access, needs.reach, "/api/v2/media", { method: "POST", body, signal: needs.signal, withinMs });
}

async function ready(access: Access, id: string, needs: TryNeeds): Promise<Attached> {
  const { reach, signal, now, remember } = needs;
  const untilMs = now() + pollForMs;
  for (;;) {
    const answer = await ask(access, reach, `/api/v1/media/${encodeURIComponent(id)}`, { signal });
    if (answer.status === 200) {
      // Once a post has it, the server answers as if it were not there: it is not asked for again.
      await remember({ ready: "yes" });
      return { id };
    }
    if (answer.status === 404 || answer.status === 422) await remember({ media: "" });
    if (answer.status === 404) return later("The server has thrown the uploaded file away; it is uploaded again.");
    if (answer.status !== 206) return notOf(answer, now());
    if (now() > untilMs) return later("The server still prepares the file.");
    await wait(pollMs, undefined, { signal });
  }
}

/** The id of the uploaded file: an earlier try's, where there was one. Rejects when there was no answer. */
export async function attached(access: Access, media: Media, altText: string, needs: TryNeeds): Promise<Attached> {
  const { remembered, remember, now } = needs;
  if (remembered.media) return remembered.ready ? { id: remembered.media } : ready(access, remembered.media, needs);
  const file = await fileOf(media, media.kind, needs.onProgress).catch(() => undefined);
  if (file === undefined) return later("The footage could not be read from the disk.");
  const answer = await upload(access, file, altText, needs);
  if (answer.status !== 200 && answer.status !== 202) return notOf(answer, now());
  const id = textOf(answer.said, "id");
  if (id === "") return later("The server's answer to the upload cannot be read.");
  await remember(answer.status === 200 ? { media: id, ready: "yes" } : { media: id, ready: "" });
  return answer.status === 200 ? { id } : ready(access, id, needs);
}
