// The entry point of an executable: unpacks the launcher and runs it like `node` would.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { getRawAsset, isSea } from "node:sea";
import { zstdDecompressSync } from "node:zlib";
import { cacheFolder } from "../../../../launcher/src/private-folder.ts";
import { type Packed, unpack } from "./unpack.ts";

/** Reads an asset of the executable, or a file beside this one if a script unpacked both. */
const read = (name: string): Buffer =>
  isSea() ? Buffer.from(getRawAsset(name) as ArrayBuffer) : readFileSync(join(dirname(process.argv[1] ?? ""), name));

function readPacked(): Packed {
  const { id, files } = JSON.parse(read("files.json").toString()) as Omit<Packed, "contents">;
  return { id, files, contents: () => zstdDecompressSync(read("files.zst")) };
}

/**
 * fork() starts this executable instead of node, with the path of a program. Runs only programs from the unpacked folder, and
 * only for a parent with an IPC channel.
 */
function forkedProgram(folder: string, { files }: Packed, words: readonly string[]): string | undefined {
  if (!isSea() || process.send === undefined) return undefined;
  const given = words.find((word) => !word.startsWith("--"));
  return files.map(({ path }) => resolve(folder, path)).find((path) => path === given && path.endsWith(".js"));
}

function begin(): void {
  const packed = readPacked();
  const words = process.argv.slice(2);
  const cache = cacheFolder(process.env);
  let folder: string;
  try {
    folder = unpack(cache, packed);
  } catch (error) {
    console.error(`Kit could not unpack itself into ${cache}: ${(error as Error).message}.`);
    process.exitCode = 1;
    return;
  }
  const forked = forkedProgram(folder, packed, words);
  process.argv = [process.execPath, forked ?? join(folder, "launcher/main.js"), ...(forked ? [] : words)];
  createRequire(join(folder, "enter.cjs"))("./enter.cjs");
}

begin();
