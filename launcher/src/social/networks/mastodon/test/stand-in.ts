// A Mastodon server as described by its documentation (https://docs.joinmastodon.org: methods/statuses#create, methods/media#v2,
// methods/accounts#verify_credentials, methods/apps#verify_credentials, entities/Instance, api/rate-limits, api/oauth-scopes).
import type { Answer, StandIn, WireRequest } from "../../test/wire.ts";

export type MastodonStatus = {
  readonly id: string;
  readonly status: string;
  readonly spoiler_text: string;
  readonly visibility: string;
  readonly media_ids: readonly string[];
};

export type MastodonMedia = {
  readonly id: string;
  readonly type: string;
  readonly bytes: number;
  readonly description: string;
  /** How many more requests are answered before it is ready. */
  asksLeft: number;
};

export type MastodonStandIn = StandIn & {
  readonly token: string;
  readonly statuses: readonly MastodonStatus[];
  readonly media: Map<string, MastodonMedia>;
  readonly asked: readonly string[];
  scopes: readonly string[];
  isTokenRevoked: boolean;
  /** Answers of a server that is only compatible with Mastodon, by method and path. */
  readonly others: Map<string, Answer>;
  /** What it says of a post whose file is not ready, in the language of the account; and of so many posts whose file is. */
  unfinishedSays: string;
  unfinishedPosts: number;
  nowMs: number;
  /** Requests that are accepted before the limit resets. */
  remaining: number;
  readonly limits: {
    max_characters: number;
    characters_reserved_per_url: number;
    image_size_limit: number;
    video_size_limit: number;
    video_matrix_limit: number;
    video_frame_rate_limit: number;
    description_limit: number;
  };
};

const hourMs = 3_600_000;
const limitResetsInMs = 300_000;
const visibilities = new Set(["public", "unlisted", "private", "direct"]);

const say = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });
const no = (status: number, error: string) => say(status, { error });
const invalid = (error: string) => no(422, `Validation failed: ${error}`);

const instanceOf = ({ limits }: MastodonStandIn) => ({
  domain: "social.example",
  title: "Mastodon",
  version: "4.5.0",
  configuration: {
    statuses: {
      max_characters: limits.max_characters,
      max_media_attachments: 4,
      characters_reserved_per_url: limits.characters_reserved_per_url,
    },
    media_attachments: {
      supported_mime_types: ["image/jpeg", "image/png", "video/mp4"],
      description_limit: limits.description_limit,
      image_size_limit: limits.image_size_limit,
      image_matrix_limit: 33_177_600,
      video_size_limit: limits.video_size_limit,
      video_frame_rate_limit: limits.video_frame_rate_limit,
      video_matrix_limit: limits.video_matrix_limit,
    },
  },
  // Large servers send long descriptions.
  rules: Array.from({ length: 400 }, (_, id) => ({ id: String(id), text: "Be kind. ".repeat(50) })),
});

type Kept = { readonly media: MastodonStandIn["media"]; readonly attached: Set<string> };

async function takeMedia(
  standIn: MastodonStandIn,
  { media }: Kept,
  { headers, body, url: { pathname } }: WireRequest,
): Promise<Answer> {
  const type = headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return invalid("File can't be blank");
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const file = form.get("file");
  const description = String(form.get("description") ?? "");
  if (!(file instanceof File)) return invalid("File can't be blank");
  const isVideo = file.type === "video/mp4";
  if (!isVideo && file.type !== "image/jpeg") return invalid("File content type is invalid, File is invalid");
  const { image_size_limit, video_size_limit, description_limit } = standIn.limits;
  if (file.size > (isVideo ? video_size_limit : image_size_limit)) return no(413, "Payload Too Large");
  if ([...description].length > description_limit) return invalid("Description is too long");
  const id = String(22_348_641 + media.size);
  // The older way answers when the file is ready.
  const isLater = isVideo && pathname === "/api/v2/media";
  media.set(id, { id, type: file.type, bytes: file.size, description, asksLeft: isLater ? 2 : 0 });
  const url = isLater ? null : `https://files.social.example/${id}`;
  return say(isLater ? 202 : 200, { id, type: isVideo ? "video" : "image", url, description });
}

function showMedia({ media, attached }: Kept, id: string): Answer {
  const found = media.get(id);
  if (found === undefined || attached.has(id)) return no(404, "Record not found");
  if (found.asksLeft === 0) return say(200, { id, url: `https://files.social.example/${id}.mp4` });
  found.asksLeft -= 1;
  return { status: 206, body: "" };
}

/** undefined if the status is accepted. */
function refusalOf(wanted: MastodonStatus, standIn: MastodonStandIn, { media, attached }: Kept): Answer | undefined {
  const { status, spoiler_text, visibility, media_ids } = wanted;
  const { limits } = standIn;
  if (status === "" && media_ids.length === 0) return invalid("Text can't be blank");
  if (!visibilities.has(visibility)) return invalid("Visibility is not included in the list");
  if ([...status, ...spoiler_text].length > limits.max_characters)
    return invalid(`Text character limit of ${limits.max_characters} exceeded`);
  if (media_ids.some((id) => !media.has(id) || attached.has(id)))
    return invalid(`Media ${media_ids.join(", ")} not found or already attached to another post`);
  if (media_ids.some((id) => (media.get(id)?.asksLeft ?? 0) > 0)) return no(422, standIn.unfinishedSays);
  if (media_ids.length > 0 && standIn.unfinishedPosts > 0) {
    standIn.unfinishedPosts -= 1;
    return no(422, standIn.unfinishedSays);
  }
  return undefined;
}

const isMaking = ({ method, url }: WireRequest) => method === "POST" && url.pathname === "/api/v1/statuses";

export function createMastodonStandIn(): MastodonStandIn {
  const kept: Kept = { media: new Map(), attached: new Set() };
  const statuses: MastodonStatus[] = [];
  const keys = new Map<string, { readonly status: MastodonStatus; readonly atMs: number }>();
  const asked: string[] = [];
  const shown = ({ id, ...rest }: MastodonStatus) =>
    say(200, {
      id,
      ...rest,
      url: `https://social.example/@mika/${id}`,
      uri: `https://social.example/users/mika/${id}`,
    });

  function takeStatus({ headers, body }: WireRequest): Answer {
    const key = String(headers["idempotency-key"] ?? "");
    const earlier = keys.get(key);
    if (key !== "" && earlier !== undefined && standIn.nowMs - earlier.atMs < hourMs) return shown(earlier.status);
    const said = JSON.parse(body.toString());
    const { status = "", spoiler_text = "", visibility = "public", media_ids = [] } = said;
    const made = { id: String(1_000 + statuses.length), status, spoiler_text, visibility, media_ids };
    const refusal = refusalOf(made, standIn, kept);
    if (refusal !== undefined) return refusal;
    statuses.push(made);
    for (const id of made.media_ids) kept.attached.add(id);
    keys.set(key, { status: made, atMs: standIn.nowMs });
    return shown(made);
  }

  async function answerTo(request: WireRequest): Promise<Answer> {
    const { method, url, headers } = request;
    const may = (scope: string) => standIn.scopes.includes(scope) || standIn.scopes.includes(scope.split(":")[0] ?? "");
    const outside = no(403, "This action is outside the authorized scopes");
    const way = `${method} ${url.pathname}`;
    const other = standIn.others.get(way);
    if (other !== undefined) return other;
    if (way === "GET /api/v2/instance") return say(200, instanceOf(standIn));
    if (standIn.isTokenRevoked || headers.authorization !== `Bearer ${standIn.token}`)
      return no(401, "The access token is invalid");
    if (way === "GET /api/v1/accounts/verify_credentials")
      return may("read:accounts")
        ? say(200, { id: "1", username: "mika", acct: "mika", url: "https://social.example/@mika" })
        : outside;
    if (way === "GET /api/v1/apps/verify_credentials") return say(200, { name: "Kit", scopes: standIn.scopes });
    if (way === "POST /api/v2/media" || way === "POST /api/v1/media")
      return may("write:media") ? takeMedia(standIn, kept, request) : outside;
    if (way.startsWith("GET /api/v1/media/")) return showMedia(kept, url.pathname.split("/").at(-1) ?? "");
    if (isMaking(request)) return may("write:statuses") ? takeStatus(request) : outside;
    return no(404, "Record not found");
  }

  const standIn: MastodonStandIn = {
    token: "ZA-Yj3aBD8U8Cm7lKUp-lm9O9BmDgdhHzDeqsY8tlL0",
    statuses,
    media: kept.media,
    asked,
    scopes: ["read:accounts", "write:media", "write:statuses"],
    isTokenRevoked: false,
    others: new Map(),
    unfinishedSays: "Cannot attach files that have not finished processing. Try again in a moment!",
    unfinishedPosts: 0,
    nowMs: Date.now(),
    remaining: 300,
    limits: {
      max_characters: 500,
      characters_reserved_per_url: 23,
      image_size_limit: 16_777_216,
      video_size_limit: 103_809_024,
      video_matrix_limit: 8_294_400,
      video_frame_rate_limit: 120,
      description_limit: 1_500,
    },
    isMaking,
    get made() {
      return statuses.length;
    },
    async answer(request) {
      asked.push(`${request.method} ${request.url.pathname}`);
      const isLimited = standIn.remaining === 0;
      standIn.remaining = Math.max(0, standIn.remaining - 1);
      const headers = {
        "x-ratelimit-limit": "300",
        "x-ratelimit-remaining": String(standIn.remaining),
        "x-ratelimit-reset": new Date(Date.now() + limitResetsInMs).toISOString(),
      };
      const answer = isLimited ? no(429, "Too many requests") : await answerTo(request);
      return { ...answer, headers: { ...headers, ...answer.headers } };
    },
  };
  return standIn;
}
