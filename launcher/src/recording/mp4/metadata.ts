// Writes title, comment and chapters as ffmpeg, VLC and mpv read them. The mp4box library cannot write these boxes.
import type { Box } from "mp4box";
import { boxes, boxHeaderBytes, rawBox, writeBox } from "./boxes.ts";

export type Metadata = {
  readonly title: string;
  readonly comment: string;
  /** When the first frame was on the screen; ISO 8601. */
  readonly startedAt: string;
  /** In chronological order. Times count from the start of the clip. */
  readonly chapters: readonly { readonly atSeconds: number; readonly title: string }[];
};

/** The chapter box stores title length and chapter count in one byte each. */
const titleBytesMax = 255;
const chaptersMax = 255;
const chapterTicks = 10_000_000;
const utf8Text = 1;

export function userDataBox({ title, comment, startedAt, chapters }: Metadata): Box {
  const udta = new boxes.udta();
  const items = [
    item("\u00a9nam", utf8(title, titleBytesMax)),
    item("\u00a9day", Buffer.from(startedAt)),
    item("\u00a9cmt", new TextEncoder().encode(comment)),
  ];
  const handler = writeBox(new boxes.hdlr().set("handler", "mdir").set("name", ""));
  udta.addBox(rawBox("meta", Buffer.concat([uint32(0), handler, bytesOf("ilst", ...items)])));
  if (chapters.length > 0) udta.addBox(rawBox("chpl", chapterList(chapters.slice(0, chaptersMax))));
  return udta;
}

function item(type: string, text: Uint8Array): Uint8Array {
  return bytesOf(type, bytesOf("data", uint32(utf8Text), uint32(0), text));
}

function chapterList(chapters: Metadata["chapters"]): Uint8Array {
  const entries = chapters.map(({ atSeconds, title }) => {
    const text = utf8(title, titleBytesMax);
    const head = Buffer.alloc(9);
    head.writeBigUInt64BE(BigInt(Math.round(atSeconds * chapterTicks)));
    head.writeUInt8(text.length, 8);
    return Buffer.concat([head, text]);
  });
  return Buffer.concat([uint32(0x01000000), uint32(0), Buffer.of(chapters.length), ...entries]);
}

/** Truncates at a character boundary. */
function utf8(text: string, bytesMax: number): Uint8Array {
  const bytes = new Uint8Array(bytesMax);
  return bytes.subarray(0, new TextEncoder().encodeInto(text.replaceAll("\0", ""), bytes).written);
}

function bytesOf(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  const bytes = content.reduce((sum, { length }) => sum + length, boxHeaderBytes);
  return Buffer.concat([uint32(bytes), Buffer.from(type, "latin1"), ...content], bytes);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
