// A post as Discord takes it (https://docs.discord.com/developers/resources/webhook#execute-webhook).
import type { RESTAPIAttachment, RESTPostAPIWebhookWithTokenJSONBody } from "discord-api-types/v10";
import { fileOf } from "../media-file.ts";
import type { Outgoing } from "../network.ts";

/** Discord has no content warnings: the text begins with it, and the footage is covered until it is clicked. */
export const composed = (text: string, contentWarning: string): string =>
  contentWarning === "" ? text : `Content warning: ${contentWarning}\n\n${text}`;

/** As Discord counts: code points (its staff in discord/discord-api-docs, issue 1315). */
export const length = (text: string): number => [...text].length;

/** Rejects when the footage cannot be read. */
export async function formOf(post: Outgoing, altTextMax: number, onProgress: (share: number) => void) {
  const { media, contentWarning, altText } = post;
  const attachments: RESTAPIAttachment[] = [];
  const form = new FormData();
  if (media !== null) {
    const isCovered = contentWarning !== "";
    // Where `is_spoiler` is not known yet, the name covers it.
    const file = await fileOf(media, `${isCovered ? "SPOILER_" : ""}${media.kind}`, onProgress);
    if (file.size !== media.bytes) throw new Error("The file is not the one that was prepared.");
    attachments.push({
      id: 0,
      filename: file.name,
      ...(altText === "" ? {} : { description: [...altText].slice(0, altTextMax).join("") }),
      ...(isCovered ? { is_spoiler: true } : {}),
    });
    form.append("files[0]", file);
  }
  const message: RESTPostAPIWebhookWithTokenJSONBody = {
    content: composed(post.text, contentWarning),
    // Nobody is called, whatever names a game put into the text.
    allowed_mentions: { parse: [] },
    ...(attachments.length === 0 ? {} : { attachments }),
  };
  form.append("payload_json", JSON.stringify(message));
  return form;
}
