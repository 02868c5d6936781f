// Sends signed requests to one bucket of an S3 store, and decides what its answers mean. Keys are in headers only; a link contains a
// signature for one file.
import { createHash, randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import { type ForwardBucket, type Message, rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { AwsV4Signer } from "aws4fetch";
import { retryAfterMs } from "../../outbound/response.ts";
import type { SendAnswer } from "../../outbox/index.ts";
import { checkCertificate, parseTargetUrl } from "./address.ts";
import { connectToServer, type HttpAnswer, noAnswerMessage, type StreamRequest } from "./server-connection.ts";

/** Where a bucket is, and how it is contacted. */
export type BucketPlace = ForwardBucket & {
  readonly withoutTls?: boolean | undefined;
  readonly certificate?: string | undefined;
};
/** Everything about a bucket. Stored as one secret. */
export type BucketAccess = BucketPlace & { readonly accessKey: string; readonly secretKey: string };
/** An invitation names a bucket without its keys. */
export type GivenBucket = BucketPlace & Partial<Pick<BucketAccess, "accessKey" | "secretKey">>;

export type Content = {
  /** Reads the content from its beginning, also again. */
  read(): AsyncIterable<Uint8Array>;
  readonly bytes: number;
  readonly sha256: string;
  readonly type?: string;
};

type BucketRequest = {
  readonly query?: Readonly<Record<string, string>>;
  readonly content?: Content;
  readonly signal: AbortSignal;
  readonly onSent?: StreamRequest["onSent"];
};

/** A link that anybody can open, until `expiresMs`. */
export type FileLink = { readonly url: string; readonly expiresMs: number };

export type Bucket = {
  /** `bucket/prefix`, which comes before the key in what people are shown. */
  readonly place: string;
  /** Returns an answer of success. Throws BucketRefusal for any other one, and other errors if there is none. */
  send(method: Method, key: string, request: BucketRequest): Promise<HttpAnswer>;
  /** Whether the bucket has this key with this size. If the keys may not look, it returns false. */
  has(key: string, bytes: number, signal: AbortSignal): Promise<boolean>;
  /** Lists the ids of uploads of a key that are not complete. If the keys may not look, it returns none. */
  uploadsOf(key: string, signal: AbortSignal): Promise<string[]>;
  linkTo(key: string, signal: AbortSignal): Promise<FileLink>;
  /** Writes, reads and deletes a small file. */
  test(signal: AbortSignal): Promise<{ readonly ok: boolean; readonly says: Message }>;
  close(): void;
};
type Method = "PUT" | "POST" | "HEAD" | "GET" | "DELETE";

/** The longest time that the signature allows. */
const linkSeconds = 7 * 86_400;
/** A request ends if the store takes nothing, or does not answer, for this long. */
const bucketWithinMs = 30_000;

export class BucketRefusal extends Error {
  readonly answer: Extract<SendAnswer, { says: Message }>;
  readonly code: string;

  constructor(code: string, answer: BucketRefusal["answer"]) {
    super(code);
    this.code = code;
    this.answer = answer;
  }
}

/** Throws KitError for an address that is not allowed. */
function parseBucketUrl({ endpoint, name, hostStyle, withoutTls = false }: BucketPlace, field = "/bucket"): URL {
  const path = `${field}/endpoint`;
  const url = parseTargetUrl(endpoint, withoutTls, path);
  if (url.username !== "" || url.password !== "") rejectField(path, message("bucket.password"));
  if (url.search !== "" || url.hash !== "") rejectField(path, message("bucket.query"));
  const folder = url.pathname.replace(/\/+$/, "");
  if (!hostStyle) return new URL(`${folder}/${name}/`, url);
  if (isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) rejectField(`${field}/hostStyle`, message("bucket.host_of_ip"));
  url.hostname = `${name}.${url.hostname}`;
  return new URL(`${folder}/`, url);
}

/** Returns the host and port of a bucket. Throws KitError for one that cannot be; `field` is the field that contains it. */
export function checkBucket(place: BucketPlace, field = "/bucket"): string {
  const { host } = parseBucketUrl(place, field);
  if (place.prefix.split("/").some((part) => part === "." || part === ".."))
    rejectField(`${field}/prefix`, message("bucket.prefix"));
  if (place.certificate !== undefined) checkCertificate(place.certificate, field);
  return host;
}

/** What of it may be shown and stored. */
export const visibleBucket = ({ endpoint, region, name, prefix, hostStyle, ...given }: GivenBucket) => ({
  endpoint,
  region,
  name,
  prefix,
  hostStyle,
  hasKeys: given.accessKey !== undefined && given.secretKey !== undefined,
});

const keyProblems: Readonly<Record<string, Message>> = {
  InvalidAccessKeyId: message("bucket.keys_refused"),
  SignatureDoesNotMatch: message("bucket.keys_refused"),
  NoSuchBucket: message("bucket.unknown"),
  AuthorizationHeaderMalformed: message("bucket.region"),
  PermanentRedirect: message("bucket.region"),
  TemporaryRedirect: message("bucket.region"),
};
/** Codes of failures that pass, though the status of some looks final. */
const passing = new Set(["RequestTimeout", "SlowDown", "OperationAborted", "InternalError", "ServiceUnavailable"]);
const skewed = "RequestTimeTooSkewed";

const codeOf = ({ text }: HttpAnswer) => /<Error>[\s\S]*?<Code>(\w{1,100})<\/Code>/.exec(text)?.[1] ?? "";

/** Returns undefined for success. Some answers that begin with 200 end with an error. */
function refusalOf(answer: HttpAnswer, nowMs: number): BucketRefusal | undefined {
  const { status, headers } = answer;
  const code = codeOf(answer);
  const refuse = (outcome: "refused" | "stopped", says: Message) => new BucketRefusal(code, { outcome, says });
  const notBeforeMs = retryAfterMs(new Headers(headers as Record<string, string>), nowMs);
  const later = (says: Message) => new BucketRefusal(code, { outcome: "later", says, notBeforeMs });
  if (status >= 200 && status < 300 && code === "") return undefined;
  if (code === skewed) return later(message("bucket.clock"));
  if (status >= 500 || status === 429 || status === 408 || passing.has(code) || status < 300)
    return later(message("bucket.failed", { status }));
  if (status < 400) return refuse("stopped", message("bucket.region"));
  const known = keyProblems[code];
  if (known !== undefined) return refuse("stopped", known);
  if (status === 401 || status === 403) return refuse("stopped", message("bucket.denied", { code: code || status }));
  if (status === 404 && code !== "NoSuchUpload") return refuse("stopped", message("bucket.nothing_there"));
  return refuse("refused", message("bucket.refused", { code: code || status }));
}

const noBody = () => Readable.from([]);
const nothing: Content = { read: noBody, bytes: 0, sha256: createHash("sha256").digest("hex") };

export const contentOf = (text: string, type?: string): Content => {
  const bytes = Buffer.from(text);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return {
    read: async function* () {
      yield bytes;
    },
    bytes: bytes.length,
    sha256,
    ...(type && { type }),
  };
};

/** Throws KitError for an address that is not allowed. */
export async function connectToBucket(access: BucketAccess, now: () => number): Promise<Bucket> {
  const { accessKey, secretKey, region, name, prefix, withoutTls = false, certificate } = access;
  const base = parseBucketUrl(access);
  const connection = await connectToServer({ url: base.href, withoutTls, certificate, withinMs: bucketWithinMs, now });
  /** Without a key, the address of the bucket itself. */
  const urlOf = (key: string | null, query: Readonly<Record<string, string>> = {}) => {
    const url = new URL(key === null ? "" : prefix + key, base);
    for (const [each, value] of Object.entries(query)) url.searchParams.set(each, value);
    return url.href;
  };
  const sign = async (method: string, url: string, signal: AbortSignal, rest: object) =>
    new AwsV4Signer({
      method,
      url,
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: "s3",
      region,
      datetime: new Date(now() + (await connection.clockAheadMs(signal))).toISOString().replace(/[:-]|\.\d{3}/g, ""),
      ...rest,
    }).sign();
  const request = async (
    method: Method,
    key: string | null,
    { query, content = nothing, signal, onSent = () => undefined }: BucketRequest,
  ) => {
    const headers = {
      "x-amz-content-sha256": content.sha256,
      ...(content.type !== undefined && { "content-type": content.type }),
    };
    const signed = await sign(method, urlOf(key, query), signal, { headers });
    const { href: url } = signed.url;
    return connection.stream({
      method,
      url,
      headers: Object.fromEntries(signed.headers),
      body: content.read,
      bytes: content.bytes,
      signal,
      onSent,
    });
  };
  const bucket: Bucket = {
    place: `${name}/${prefix}`,
    close: connection.close,
    async send(method, key, given) {
      const aheadMs = await connection.clockAheadMs(given.signal);
      const answer = await request(method, key, given);
      // The answer told the store's time, so another signature fits.
      const isNewClock = codeOf(answer) === skewed && (await connection.clockAheadMs(given.signal)) !== aheadMs;
      const last = isNewClock ? await request(method, key, given) : answer;
      const refusal = refusalOf(last, now());
      if (refusal !== undefined) throw refusal;
      return last;
    },
    async has(key, bytes, signal) {
      const answer = await request("HEAD", key, { signal });
      const { status, headers } = answer;
      // Other refusals are explained by the answer to what follows, because this one has no text.
      const refusal = status >= 500 ? refusalOf(answer, now()) : undefined;
      if (refusal !== undefined) throw refusal;
      return status === 200 && headers["content-length"] === String(bytes);
    },
    async uploadsOf(key, signal) {
      const { status, text } = await request("GET", null, { query: { uploads: "", prefix: prefix + key }, signal });
      return status === 200 ? [...text.matchAll(/<UploadId>([^<]*)</g)].map(([, id]) => id ?? "") : [];
    },
    async linkTo(key, signal) {
      // In the store's time, because the store decides when the link expires.
      const expiresMs = now() + (await connection.clockAheadMs(signal)) + linkSeconds * 1_000;
      const url = urlOf(key, { "X-Amz-Expires": String(linkSeconds) });
      return { url: (await sign("GET", url, signal, { signQuery: true })).url.href, expiresMs };
    },
    async test(signal) {
      const key = `kit-test-${randomUUID()}.txt`;
      const text = "This is a test of Kit. It can be deleted.";
      try {
        await putFile(bucket, key, { content: contentOf(text, "text/plain"), signal });
        const { url } = await bucket.linkTo(key, signal);
        const read = await connection.stream({
          method: "GET",
          url,
          headers: {},
          body: noBody,
          bytes: 0,
          signal,
          onSent: () => undefined,
        });
        const isReadable = read.status === 200 && read.text === text;
        const isDeleted = await bucket.send("DELETE", key, { signal }).catch(() => undefined);
        if (!isReadable) return { ok: false, says: message("bucket.test_unreadable", { status: read.status }) };
        if (isDeleted === undefined) return { ok: true, says: message("bucket.test_left", { key: prefix + key }) };
        return { ok: true, says: message("bucket.test_passed") };
      } catch (error) {
        if (error instanceof BucketRefusal) return { ok: false, says: error.answer.says };
        return { ok: false, says: noAnswerMessage(error, bucketWithinMs) };
      }
    },
  };
  return bucket;
}

/** Sends a whole file. Throws if the store does not confirm it. */
export async function putFile(bucket: Bucket, key: string, request: BucketRequest): Promise<string> {
  const { headers, status } = await bucket.send("PUT", key, request);
  // Without it, something else answered, for example the sign-in page of a network.
  if (headers.etag !== undefined) return headers.etag;
  throw new BucketRefusal("", { outcome: "later", says: message("bucket.not_a_store", { status }), notBeforeMs: null });
}
