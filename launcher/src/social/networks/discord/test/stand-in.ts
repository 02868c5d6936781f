// Discord's webhooks as described by its documentation (https://docs.discord.com/developers: resources/webhook, reference
// "Uploading Files" and "Error Messages", topics/rate-limits, topics/opcodes-and-status-codes, resources/message).
import type { APIMessage, APIWebhook, RESTPostAPIWebhookWithTokenJSONBody } from "discord-api-types/v10";
import type { Answer, StandIn, WireRequest } from "../../test/wire.ts";

export type DiscordMessage = {
  readonly id: string;
  readonly thread: string | null;
  readonly body: RESTPostAPIWebhookWithTokenJSONBody;
  readonly files: readonly { readonly name: string; readonly type: string; readonly bytes: number }[];
};

export type DiscordStandIn = StandIn & {
  readonly path: string;
  readonly guild: string;
  readonly channel: string;
  readonly messages: readonly DiscordMessage[];
  /** Number of requests to post. */
  readonly asked: number;
  isGone: boolean;
  type: 1 | 2 | 3;
  /** Whether the channel takes only posts that begin a thread, and whether each of them needs a tag. */
  isForum: boolean;
  needsTag: boolean;
  /** Maximum size of a file on this server. */
  fileBytesMax: number;
  /** Posts that are accepted before the limit resets; the documentation names no number. */
  remaining: number;
};

const requestBytesMax = 25 * 1024 * 1024;
const resetAfterSeconds = 1.25;

const json = (status: number, body: object, headers = {}): Answer => ({ status, headers, body: JSON.stringify(body) });
const error = (status: number, code: number, message: string, errors?: object) =>
  json(status, { message, code, ...(errors ? { errors } : {}) });
const formError = (field: string, code: string, message: string) =>
  error(400, 50035, "Invalid Form Body", { [field]: { _errors: [{ code, message }] } });

type Form = { readonly body: RESTPostAPIWebhookWithTokenJSONBody; readonly files: ReadonlyMap<string, File> };

async function formIn({ headers, body }: WireRequest): Promise<Form | undefined> {
  const type = headers["content-type"] ?? "";
  if (type === "application/json") return { body: JSON.parse(body.toString()), files: new Map() };
  if (!type.startsWith("multipart/form-data")) return undefined;
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const files = [...form].filter((part): part is [string, File] => part[1] instanceof File);
  const payload = form.get("payload_json");
  return { body: typeof payload === "string" ? JSON.parse(payload) : {}, files: new Map(files) };
}

/** undefined if the form is accepted. */
function refusalOf({ body, files }: Form, requestBytes: number, fileBytesMax: number): Answer | undefined {
  const { content = "", attachments = [] } = body;
  if (requestBytes > requestBytesMax || [...files.values()].some(({ size }) => size > fileBytesMax))
    return error(413, 40005, "Request entity too large");
  if (content.trim() === "" && files.size === 0) return error(400, 50006, "Cannot send an empty message");
  if ([...content].length > 2_000)
    return formError("content", "BASE_TYPE_MAX_LENGTH", "Must be 2000 or fewer in length.");
  for (const [name, file] of files)
    if (!/^files\[\d{1,2}\]$/.test(name) || file.name === "")
      return formError(name, "BASE_TYPE_REQUIRED", "This field is required");
  for (const { id, description = "" } of attachments) {
    if (!files.has(`files[${id}]`)) return formError("attachments", "NUMBER_TYPE_COERCE", `Unknown attachment ${id}`);
    if ([...description].length > 1_024)
      return formError("attachments", "BASE_TYPE_MAX_LENGTH", "Must be 1024 or fewer in length.");
  }
  return undefined;
}

export function createDiscordStandIn(): DiscordStandIn {
  const id = "112233445566778899";
  const token = "t0-ken_".repeat(10);
  const guild = "221133445566778899";
  const channel = "331122445566778899";
  const path = `/api/v10/webhooks/${id}/${token}`;
  const messages: DiscordMessage[] = [];
  let requests = 0;
  const rateHeaders = () => ({
    "x-ratelimit-limit": "5",
    "x-ratelimit-remaining": String(standIn.remaining),
    "x-ratelimit-reset": String(Date.now() / 1_000 + resetAfterSeconds),
    "x-ratelimit-reset-after": String(resetAfterSeconds),
    "x-ratelimit-bucket": "abcd1234",
  });
  function threadRefusalOf({ body: { thread_name: name } }: Form, { url }: WireRequest): Answer | undefined {
    const isInThread = url.searchParams.has("thread_id");
    if (!standIn.isForum)
      return name === undefined ? undefined : error(400, 220003, "Webhooks can only create threads in forum channels");
    if (name === undefined && !isInThread)
      return error(400, 220001, "Webhooks posted to forum channels must have a thread_name or thread_id");
    if (name !== undefined && isInThread)
      return error(400, 220002, "Webhooks posted to forum channels cannot have both a thread_name and thread_id");
    if (name !== undefined && (name.trim() === "" || [...name].length > 100))
      return formError("thread_name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.");
    return standIn.needsTag ? error(400, 40067, "A tag is required to create a forum post in this channel") : undefined;
  }
  async function make(asked: WireRequest): Promise<Answer> {
    if (standIn.remaining === 0) {
      const limit = { message: "You are being rate limited.", retry_after: resetAfterSeconds, global: false };
      return json(429, limit, { ...rateHeaders(), "retry-after": "2", "x-ratelimit-scope": "user" });
    }
    requests += 1;
    const form = await formIn(asked);
    if (form === undefined) return error(400, 50035, "Invalid Form Body");
    const refusal = refusalOf(form, asked.body.length, standIn.fileBytesMax) ?? threadRefusalOf(form, asked);
    if (refusal !== undefined) return refusal;
    standIn.remaining -= 1;
    const isThreadNew = form.body.thread_name !== undefined;
    const message = {
      id: String(9_000_000_000_000_000n + BigInt(messages.length)),
      thread: isThreadNew ? `55112244556677${messages.length}` : asked.url.searchParams.get("thread_id"),
      body: form.body,
      files: [...form.files.values()].map(({ name, type, size }) => ({ name, type, bytes: size })),
    };
    messages.push(message);
    if (asked.url.searchParams.get("wait") !== "true") return { status: 204, headers: rateHeaders() };
    const made: Partial<APIMessage> = {
      id: message.id,
      channel_id: message.thread ?? channel,
      content: form.body.content ?? "",
    };
    return json(200, made, rateHeaders());
  }
  const standIn: DiscordStandIn = {
    path,
    guild,
    channel,
    messages,
    isGone: false,
    isForum: false,
    needsTag: false,
    type: 1,
    fileBytesMax: 20 * 1024 * 1024,
    remaining: 1_000_000,
    get asked() {
      return requests;
    },
    get made() {
      return messages.length;
    },
    isMaking: ({ method }) => method === "POST",
    async answer(asked) {
      if (!/^DiscordBot \(.+, .+\)/.test(asked.headers["user-agent"] ?? ""))
        return { status: 403, headers: { "content-type": "text/html" }, body: "<h1>Access denied</h1>" };
      if (standIn.isGone || !asked.url.pathname.startsWith(`/api/v10/webhooks/${id}/`))
        return error(404, 10015, "Unknown Webhook");
      if (asked.url.pathname !== path) return error(401, 50027, "Invalid Webhook Token");
      const webhook: Partial<APIWebhook> = {
        id,
        type: standIn.type,
        name: "Boss log",
        guild_id: guild,
        channel_id: channel,
        token,
      };
      return asked.method === "GET" ? json(200, webhook) : make(asked);
    },
  };
  return standIn;
}
