// Streams an export as a ZIP: reads the database page by page and files one by one, so that memory use stays bounded.
import { once } from "node:events";
import { open } from "node:fs/promises";
import { PassThrough, Readable } from "node:stream";
import type { ZipFile } from "yazl";

type ReadmePart = { readonly name: string; readonly says: string };

function createReadme(
  parts: readonly ReadmePart[],
  version: string,
  at: Date,
  game: string | null | undefined,
  withFiles: boolean,
): string {
  const of = game === undefined ? "Everything Kit keeps" : `All that Kit keeps of ${game ?? "what belongs to no game"}`;
  const width = Math.max(...parts.map(({ name }) => name.length)) + 2;
  return [
    `${of}, exported by Kit ${version} on ${at.toISOString()}.`,
    "",
    ...parts.map(({ name, says }) => name.padEnd(width) + says),
    ...(withFiles ? [`${"clips/".padEnd(width)}The clips' files, named as clips.jsonl names them`] : []),
    "",
    "Files that end in .jsonl hold one JSON document a line; times are ISO 8601, UTC. Events, posts, sessions and clips have the",
    "members that the launcher describes at /openapi.json. What was entrusted to Kit, such as passwords and keys of servers, is not in here.",
    ...(withFiles
      ? ["A clip whose file was gone is named in missing-files.txt."]
      : ["The clips' files were not asked for."]),
    "",
  ].join("\n");
}

/** One file of the export: JSON Lines, or one JSON document. */
export type ExportPart = { readonly name: string; readonly says: string } & (
  | { readonly lines: (game: string | null | undefined) => AsyncIterable<unknown> }
  | { readonly value: (game: string | null | undefined) => Promise<unknown> }
);
/** A file to include. It may no longer exist when it is read. */
export type ExportFile = { readonly path: string; readonly name: string };

export type ExportDeps = {
  readonly parts: readonly ExportPart[];
  readonly files: (game: string | null | undefined) => AsyncIterable<ExportFile>;
  readonly version: string;
  readonly now: () => number;
};

export type ExportSelection = {
  /** null is unsorted; undefined selects all games. */
  readonly game: string | null | undefined;
  readonly withFiles: boolean;
};

const chunkChars = 64 * 1024;

/** Joins lines into larger chunks, because each chunk costs the compression one switch of threads. */
async function* linesOf(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let lines = "";
  for await (const value of values) {
    lines += `${JSON.stringify(value)}\n`;
    if (lines.length < chunkChars) continue;
    yield lines;
    lines = "";
  }
  if (lines !== "") yield lines;
}

/** Adds a file to the archive. Resolves once it is complete; rejects if reading fails or the reader disconnects. */
async function addEntry(
  zip: ZipFile,
  content: Readable,
  name: string,
  options: { size?: number; mtime: Date },
  gone: AbortSignal,
) {
  const isPacked = options.size !== undefined;
  const through = new PassThrough();
  const ended = once(through, "end", { signal: gone });
  content.once("error", (error) => through.destroy(error));
  through.once("error", () => content.destroy());
  gone.addEventListener("abort", () => content.destroy(), { once: true });
  zip.addReadStream(content.pipe(through), name, { ...options, compress: !isPacked, mode: 0o100600 });
  await ended;
}

async function addFile(zip: ZipFile, { path, name }: ExportFile, gone: AbortSignal): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  const { size, mtime } = await file.stat();
  // Reads up to the current size, because the archive states the size before the content.
  const content = size === 0 ? Readable.from([]) : file.createReadStream({ end: size - 1 });
  try {
    await addEntry(zip, content, name, { size, mtime }, gone);
  } finally {
    await file.close().catch(() => undefined);
  }
  return true;
}

async function writeArchive(
  zip: ZipFile,
  { game, withFiles }: ExportSelection,
  needs: ExportDeps,
  gone: AbortSignal,
): Promise<void> {
  const mtime = new Date(needs.now());
  const text = (content: string, name: string) => addEntry(zip, Readable.from([content]), name, { mtime }, gone);
  await text(createReadme(needs.parts, needs.version, mtime, game, withFiles), "README.txt");
  for (const part of needs.parts) {
    if ("lines" in part) await addEntry(zip, Readable.from(linesOf(part.lines(game))), part.name, { mtime }, gone);
    else await text(`${JSON.stringify(await part.value(game), null, 2)}\n`, part.name);
  }
  const missing: string[] = [];
  if (withFiles)
    for await (const file of needs.files(game)) if (!(await addFile(zip, file, gone))) missing.push(file.name);
  if (missing.length > 0) await text(`${missing.join("\n")}\n`, "missing-files.txt");
  zip.end();
}

/** Returns the archive. If anything cannot be read, the stream fails, so the reader notices that it is incomplete. */
export async function exportStream(wanted: ExportSelection, needs: ExportDeps): Promise<Readable> {
  const { ZipFile } = await import("yazl");
  const zip = new ZipFile();
  const out = zip.outputStream as PassThrough;
  const gone = new AbortController();
  out.once("close", () => gone.abort());
  zip.once("error", (error) => out.destroy(error as Error));
  writeArchive(zip, wanted, needs, gone.signal).catch((error: Error) => out.destroy(error));
  return out;
}
