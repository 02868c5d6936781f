// What a server can do wrong with the request that creates a post.
import { gzipSync } from "node:zlib";
import { type Act, type Answer, answerWith, type Turn } from "./wire.ts";

const page = "<html><body>Something went wrong</body></html>";
const html = { "content-type": "text/html" };

/** Refuses the post. */
export const says =
  (status: number, headers: Record<string, string> = {}, body = '{"message": "No.", "code": 0}'): Act =>
  ({ response }) =>
    answerWith(response, { status, headers, body });

export const saysAsPage = (status: number, headers: Record<string, string> = {}): Act =>
  says(status, { ...headers, ...html }, page);

/** Creates the post, but gives an answer that the real network would not give. */
export const takesAndSays =
  (status: number, spoil: (answer: Answer) => Partial<Answer> = () => ({ body: page, headers: html })): Act =>
  async ({ take, response }) => {
    const answer = await take();
    answerWith(response, { ...answer, ...spoil(answer), status });
  };

/** Creates the post, writes the pieces of `raw` as the answer, and ends it with `end`. */
const takesAndWrites =
  (raw: (answer: Answer) => readonly string[], end: (turn: Turn) => void): Act =>
  async (turn) => {
    const answer = await turn.take();
    for (const piece of raw(answer)) turn.socket.write(piece);
    end(turn);
  };

const headOf = ({ body = "" }: Answer, length = Buffer.byteLength(body)) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

const ends = ({ socket }: Turn) => void socket.end();
/** Destroys the connection, as a cut cable does. */
const breaks = ({ socket }: Turn) => void socket.destroy();
const keepsOpen = () => {};

/** Writes the piece again and again until the client stops reading. */
const goesOn =
  (piece: string, everyMs: number) =>
  ({ socket }: Turn) => {
    const timer = setInterval(() => socket.writable && socket.write(piece), everyMs);
    socket.once("close", () => clearInterval(timer));
  };

export const breaksBeforeTaking: Act = breaks;
export const endsBeforeTaking: Act = ends;
export const staysSilentBeforeTaking: Act = keepsOpen;
export const staysSilent = takesAndWrites(() => [], keepsOpen);
export const breaksBeforeHead = takesAndWrites(() => [], breaks);
export const endsBeforeHead = takesAndWrites(() => [], ends);
export const breaksInHead = takesAndWrites(() => ["HTTP/1.1 200 OK\r\ncontent-ty"], breaks);
export const stopsInHead = takesAndWrites(() => ["HTTP/1.1 200 OK\r\ncontent-ty"], keepsOpen);
export const breaksInBody = takesAndWrites((answer) => [headOf(answer), (answer.body ?? "").slice(0, 5)], breaks);
export const endsInBody = takesAndWrites((answer) => [headOf(answer, 5_000), answer.body ?? ""], ends);
export const dripsBody = takesAndWrites((answer) => [headOf(answer, 50_000)], goesOn(" ", 20));
export const sendsHugeBody = takesAndWrites(
  (answer) => [headOf(answer, 8_000_000), `{"x":"${"x".repeat(8_000_000)}`],
  ends,
);
export const sendsEndlessHead = takesAndWrites(() => ["HTTP/1.1 200 OK\r\n"], goesOn(`a: ${"b".repeat(4_000)}\r\n`, 1));
export const sendsNoHttp = takesAndWrites(() => ["SSH-2.0-OpenSSH_9.7\r\n"], ends);
export const sendsTwoLengths = takesAndWrites(
  () => ["HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}"],
  ends,
);
export const sendsNoStatus = takesAndWrites(() => ["HTTP/1.1 2x0 OK\r\n\r\n"], ends);

/** Sends an interim response, 103 Early Hints, before the real one. */
export const hintsFirst = takesAndWrites(
  (answer) => ["HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n", headOf(answer), answer.body ?? ""],
  ends,
);
/** Sends 100 Continue, which the client did not ask for, before the real response. */
export const continuesFirst = takesAndWrites(
  (answer) => ["HTTP/1.1 100 Continue\r\n\r\n", headOf(answer), answer.body ?? ""],
  ends,
);

export const zips: Act = async ({ take, response }) => {
  const { status, headers, body = "" } = await take();
  response.writeHead(status, { "content-type": "application/json", ...headers, "content-encoding": "gzip" });
  response.end(gzipSync(body));
};
export const zipsBadly: Act = async ({ take, response }) => {
  const { status, headers } = await take();
  response.writeHead(status, { ...headers, "content-encoding": "gzip" }).end("not zipped");
};
export const zipsMuch: Act = async ({ take, response }) => {
  const { status, headers } = await take();
  response
    .writeHead(status, { ...headers, "content-encoding": "gzip" })
    .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")));
};
