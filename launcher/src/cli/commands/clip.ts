// `kit clip ID`: shows one clip, or changes, trims, exports, deletes, restores or reveals it.

import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Client,
  type Clip,
  type ClipExport,
  cancelClipExport,
  changeClip,
  deleteClip,
  type ExportTarget,
  exportClip,
  exportTargets,
  getClip,
  getClipExportFile,
  listClipExports,
  restoreClip,
  revealClip,
  trimClip,
} from "@kit/contract";
import { InvalidArgumentError } from "commander";
import { InvalidSetting } from "../../config.ts";
import {
  answer,
  type CommandAnswer,
  type CommandContext,
  choiceFlag,
  command,
  Flag,
  hiddenFlag,
  negatedFlag,
  parameter,
  parseByteSize,
  parsedFlag,
  textFlag,
  toggleFlag,
} from "../command.ts";
import {
  createFieldPrinter,
  createProgressLine,
  escapeInvisible,
  formatBytes,
  formatDuration,
  print,
  printError,
  say,
} from "../output.ts";
import { explainExistingFile } from "../shared-file.ts";
import { clipRemarks } from "./clips.ts";

type ClipRange = { readonly fromSeconds: number; readonly toSeconds: number };

const trimPollMs = 150;

/** Parses seconds such as `3.5` or `1:02.5`. NaN for other texts. */
function parseSeconds(given: string): number {
  const [, minutes = "0", seconds] = /^(?:(\d{1,4}):)?(\d{1,5}(?:\.\d{1,3})?)$/.exec(given) ?? [];
  return seconds === undefined ? Number.NaN : Number(minutes) * 60 + Number(seconds);
}

/** Parses a range such as `3.5-12` or `0:03-1:02.5`. */
export function clipRange(given: string): ClipRange {
  const [fromSeconds = Number.NaN, toSeconds = Number.NaN, ...others] = given.split("-").map(parseSeconds);
  if (fromSeconds < toSeconds && others.length === 0) return { fromSeconds, toSeconds };
  throw new InvalidArgumentError("Give a range such as 3.5-12 or 0:03-1:02.5.");
}

/** A flag that can be given several times. */
const repeated = (flags: string, description: string) =>
  parsedFlag<readonly string[]>(flags, description, (given, before = []) => [...before, given]);

const clipFlags = {
  pin: new Flag<boolean | undefined>(
    ...toggleFlag("--pin", "never delete it to free up space").options,
    ...negatedFlag("--no-pin", "allow deleting it to free up space").options,
  ),
  rename: textFlag("--rename <text>", "the new title; with --trim, the title of the trimmed clip"),
  title: hiddenFlag(textFlag("--title <text>", "the same as --rename")),
  tag: repeated("--tag <tag>", "add a tag; repeatable"),
  untag: repeated("--untag <tag>", "remove a tag; repeatable"),
  shared: toggleFlag("--shared", "mark it as shared; shared clips are kept longer"),
  trim: parsedFlag("--trim <from-to>", "make a shorter clip from it, e.g. 3.5-12 or 0:03-1:02", clipRange),
  export: choiceFlag(
    "--export <target>",
    "save a copy that fits this target",
    Object.keys(exportTargets) as readonly ExportTarget[],
  ),
  size: parsedFlag("--size <size>", "save a copy of at most this size, e.g. 8MB", parseByteSize),
  out: textFlag("--out <path>", "where to save the copy: a file or a folder (default: this folder)"),
  reveal: toggleFlag("--reveal", "show the file in the file manager, and print its path"),
  delete: toggleFlag("--delete", "move it to the trash"),
  restore: toggleFlag("--restore", "restore it from the trash"),
};
type ClipFlags = CommandContext<typeof clipFlags>["flags"];

const tagKey = (tag: string) => tag.normalize("NFC").toLowerCase();

function mergeTags({ tags }: Clip, { tag = [], untag = [] }: ClipFlags): string[] {
  const [added, removed] = [tag, untag].map((all) => new Set(all.map(tagKey)));
  return [...tags.filter((each) => !added?.has(tagKey(each)) && !removed?.has(tagKey(each))), ...tag];
}

async function applyChanges(client: Client, id: string, flags: ClipFlags): Promise<void> {
  const { pin, shared, title, rename = title, tag, untag } = flags;
  const params = { id };
  const isTagged = tag !== undefined || untag !== undefined;
  const body = {
    ...(pin !== undefined && { pinned: pin }),
    ...(shared !== undefined && { shared }),
    ...(rename !== undefined && { title: rename }),
    ...(isTagged && { tags: mergeTags(await client.call(getClip, { params }), flags) }),
  };
  await client.call(changeClip, { params, body });
}

/** Trims the clip and waits for the result. Throws the reason if trimming fails. */
export async function trimAndWait(client: Client, id: string, range: ClipRange, title?: string): Promise<Clip> {
  const body = { ...range, ...(title !== undefined && { title }) };
  let trimmed = await client.call(trimClip, { params: { id }, body });
  while (trimmed.state === "pending") {
    await pause(trimPollMs);
    trimmed = await client.call(getClip, { params: { id: trimmed.id } });
  }
  if (trimmed.state === "failed") throw new Error(say(trimmed.reason ?? "The clip could not be trimmed."));
  return trimmed;
}

function printClip(clip: Clip): void {
  const line = createFieldPrinter(12);
  line("id", clip.id);
  line("title", say(clip.titleMessage ?? clip.title));
  line("game", clip.game ?? "unsorted");
  line("kind", clip.kind === "marker" ? "a marker, without video" : `a ${clip.kind}, ${clip.state}`);
  line("tags", clip.tags.join(", "));
  line("trimmed from", clip.trimmedFrom);
  line("notes", clipRemarks(clip));
  line("began", clip.startedAt);
  if (clip.state === "saved") {
    line("length", clip.kind === "clip" ? `${formatDuration(clip.duration)} (${clip.duration.toFixed(2)} s)` : null);
    line("picture", `${clip.width} × ${clip.height}, ${formatBytes(clip.bytes)}, captured by ${clip.backend}`);
  }
  line("file", clip.path);
  for (const { offset, label, id } of clip.events)
    line("event", `${formatDuration(Math.max(0, offset))}  ${label}  ${id}`);
  if (clip.deletedAt !== null) line("trash", `deleted ${clip.deletedAt}; undo: kit clip ${clip.id} --restore`);
}

// Export: a copy that fits a target, with its progress.

const exportPollMs = 250;

async function waitForExport(client: Client, requested: ClipExport, isShown: boolean): Promise<ClipExport> {
  const line = createProgressLine(isShown);
  try {
    for (;;) {
      const { exports } = await client.call(listClipExports, { query: { clip: requested.clip } });
      const current = exports.find(({ id }) => id === requested.id);
      if (current === undefined) throw new Error("The export was cancelled.");
      if (current.state === "failed") throw new Error(say(current.reason ?? "The export failed."));
      if (current.state === "ready") return current;
      line.update(
        current.state === "waiting" ? "waiting for another export…" : `${Math.round(current.progress * 100)} %`,
      );
      await pause(exportPollMs);
    }
  } finally {
    line.end();
  }
}

/** Returns the path of the file to write: `out` itself, or a file in it if it is a folder. */
async function outputPath(out: string, fileName: string): Promise<string> {
  const found = await stat(out).catch(() => undefined);
  return found?.isDirectory() ? join(out, fileName) : out;
}

/** Downloads the export to a new file. Throws if `path` exists. */
async function save(client: Client, { id }: ClipExport, path: string): Promise<void> {
  const { body } = await client.open(getClipExportFile, { params: { id } });
  if (body === null) throw new Error("The launcher sent nothing.");
  const file = createWriteStream(path, { flags: "wx" });
  let isOurs = false;
  file.once("open", () => {
    isOurs = true;
  });
  try {
    await pipeline(Readable.fromWeb(body), file);
  } catch (error) {
    if (isOurs) await rm(path, { force: true });
    explainExistingFile(path, "use another --out")(error as NodeJS.ErrnoException);
  }
}

type ExportRequest = {
  readonly clip: string;
  readonly export?: ExportTarget;
  readonly size?: number;
  readonly out?: string;
  readonly json: boolean;
};

/** Asks for the export, waits until it is ready, and saves it. Ctrl-C cancels the export. */
async function exportClipAndSave(client: Client, request: ExportRequest): Promise<CommandAnswer> {
  const { clip, export: target, size: bytesMax, out = ".", json } = request;
  const body = { clip, ...(target && { target }), ...(bytesMax !== undefined && { bytesMax }) };
  const requested = await client.call(exportClip, { body });
  const cancel = () => {
    const exit = () => process.exit(130);
    client.call(cancelClipExport, { params: { id: requested.id } }).then(exit, exit);
  };
  process.once("SIGINT", cancel);
  try {
    const ready = await waitForExport(client, requested, process.stderr.isTTY && !json);
    const path = await outputPath(out, ready.fileName);
    await save(client, ready, path);
    return answer({ ...ready, path }, ({ bytes, notes }) => {
      print(`${escapeInvisible(path)}, ${formatBytes(bytes)}`);
      for (const note of notes) printError(escapeInvisible(say(note)));
    });
  } finally {
    process.removeListener("SIGINT", cancel);
  }
}

type Action = "change" | "trim" | "delete" | "restore" | "export" | "reveal";

/**
 * Returns what the flags ask for; undefined if the clip is only shown. Throws InvalidSetting if they ask for several actions.
 */
function requestedAction(flags: ClipFlags): Action | undefined {
  const isTrim = flags.trim !== undefined;
  const changes = [flags.pin, flags.shared, flags.rename, flags.title, flags.tag, flags.untag];
  const isRequested: Record<Action, boolean> = {
    // With --trim, --title is the title of the new clip and changes nothing.
    change: !isTrim && changes.some((flag) => flag !== undefined),
    trim: isTrim,
    delete: flags.delete === true,
    restore: flags.restore === true,
    export: flags.export !== undefined || flags.size !== undefined,
    reveal: flags.reveal === true,
  };
  const actions = (Object.keys(isRequested) as Action[]).filter((action) => isRequested[action]);
  if (actions.length > 1) throw new InvalidSetting(`Use only one of these at a time: ${actions.join(", ")}.`);
  const [action] = actions;
  if (flags.out !== undefined && action !== "export") throw new InvalidSetting("--out needs --export or --size.");
  return action;
}

export const clipCommand = command("clip", "Show a clip; rename, tag, pin, trim, export, delete or restore it", {
  group: "players",
  parameters: [parameter("<id>", "a clip's id, from `kit clips`")],
  flags: clipFlags,
  async run({ client, flags, json }, id) {
    const params = { id };
    switch (requestedAction(flags)) {
      case "export":
        return exportClipAndSave(client, { clip: id, ...flags, json });
      case "reveal": {
        const clip = await client.call(getClip, { params });
        // The path is printed first, because it is still useful if no file manager opens.
        if (!json && clip.path !== null) print(escapeInvisible(clip.path));
        await client.call(revealClip, { params });
        return json ? answer(clip, printClip) : undefined;
      }
      case "delete":
        await client.call(deleteClip, { params, query: {} });
        if (!json) return answer(undefined, `Moved to the trash. Undo: kit clip ${escapeInvisible(id)} --restore`);
        break;
      case "restore":
        await client.call(restoreClip, { params });
        break;
      case "change":
        await applyChanges(client, id, flags);
        break;
      default:
    }
    const trimmed = flags.trim && (await trimAndWait(client, id, flags.trim, flags.rename ?? flags.title));
    return answer(trimmed ?? (await client.call(getClip, { params })), printClip);
  },
});
