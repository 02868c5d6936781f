// What has to come of each fault at networks that know a post by its key: whatever may have been taken is asked for again.
// Rows by the names they have in `wire-faults.ts`; Mastodon's column, then Bluesky's, which signs in before it posts.
import type { Expected, Fault } from "./wire-faults.ts";

type Row = readonly [mastodon: Expected, bluesky?: Expected];

const each = (names: readonly (string | number)[], row: Row): Record<string, Row> =>
  Object.fromEntries(names.map((name) => [typeof name === "number" ? `it says ${name}` : name, row]));
const later = (waitMs: number): Row => [
  ["later", waitMs],
  ["later", waitMs],
];

const rows: Readonly<Record<string, Row>> = {
  ...each([400, 409, 413, 415, 418, 422, 451, "400 as a page"], ["refused", "refused"]),
  ...each([401, 403, 404], ["stopped", "stopped"]),
  // The library does not tell these apart.
  ...each([405, 410], ["stopped", "refused"]),
  ...each([408], ["later", "maybe"]),
  ...each([425], ["later", "maybe"]),
  ...each([500, 501, 502, 503, 504, 520, 524, 599, "503 with a time", "502 as a page"], ["maybe", "maybe"]),
  ...each([521, 522, 523, 525, 526, 530], ["later", "maybe"]),
  ...each(
    ["429 without a time", "429 with nonsense", "429 with a time in the past", "429 in the body"],
    ["later", "later"],
  ),
  "429 in seconds": later(65_000),
  "429 in parts of seconds": later(1_250),
  "429 in milliseconds": later(1_500),
  "429 in milliseconds, by a header of their own": later(800),
  "429 for ever": later(86_400_000),
  "429 as a bucket that is empty": later(2_500),
  "429, longer in the body": later(2_000),
  "429 as a page": later(7_000),
  ...each(
    [301, 302, 303, 307, 308].map((code) => `${code} to this machine`),
    ["stopped", "stopped"],
  ),
  ...each(
    [500, 502, 503, 504].map((code) => `taken, and ${code}`),
    ["maybe", "maybe"],
  ),
  ...each(["taken, and 201", "zipped", "with hints before it"], ["sent", "sent"]),
  ...each(
    ["204", "a page", "nothing", "null", "a list", "half of it"].map((what) => `taken, and ${what}`),
    ["lost", "lost"],
  ),
  "taken, under another type": ["sent", "lost"],
  ...each(["zipped badly", "zipped, and far too much", "with a word to go on before it"], ["lost", "lost"]),
  ...each(["broken before it was taken", "ended before it was taken"], ["lost", "lost"]),
  ...each(["silent, not taken", "silent, taken", "broken before the head", "ended before the head"], ["lost", "lost"]),
  ...each(["broken in the head", "stopped in the head", "broken in the body", "a body in drops"], ["lost", "lost"]),
  "ended in the body": ["sent", "lost"],
  ...each(["a huge body", "a head without end", "no HTTP", "two lengths", "no status"], ["lost", "lost"]),
  ...each(
    ["expired", "otherName", "selfSigned", "plain", "closed", "resets", "mute"].map((how) => `server: ${how}`),
    ["nothing"],
  ),
  "server: wants a certificate": ["lost"],
  ...each(["no such name", "names cannot be looked up", "the name leads into the house"], ["nothing"]),
  "the name leads nowhere": ["nothing"],
};

/** Throws for a fault without a row: what comes of it has to be said. */
export function withKeyColumns(fault: Fault): Fault {
  const row = rows[fault.what];
  if (row === undefined) throw new Error(`no row says what comes of "${fault.what}" at Mastodon and Bluesky`);
  const [mastodon, bluesky] = row;
  return { ...fault, mastodon, ...(bluesky === undefined ? {} : { bluesky }) };
}
