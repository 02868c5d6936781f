// `kit clip ID`: shows one clip, or changes, trims, exports, deletes, restores or reveals it.
import { type Clip, deleteClip, getClip, restoreClip, revealClip } from "@kit/contract";
import { type Command, Option } from "commander";
import { InvalidSetting } from "../config.ts";
import {
  applyChanges,
  type ChangeFlags,
  type ClipRange,
  collectValues,
  hasChanges,
  parseClipRange,
  trimAndWait,
} from "./clip-change.ts";
import { type ExportFlags, exportAndSave, exportTargetNames } from "./clip-export.ts";
import { clipRemarks } from "./clips.ts";
import { type Connection, connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, styled } from "./output.ts";
import { formatBytes, formatDuration, parseBytes } from "./units.ts";

type ClipFlags = CommonFlags &
  ChangeFlags &
  ExportFlags & { delete?: true; restore?: true; trim?: ClipRange; reveal?: true };

function printClip(clip: Clip): void {
  const line = (name: string, value: string | null) => {
    if (value !== null && value !== "") print(`${styled("bold", name.padEnd(12))} ${escapeInvisible(value)}`);
  };
  line("id", clip.id);
  line("title", clip.title);
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

async function reveal({ client }: Connection, id: string, { json = false }: ClipFlags): Promise<void> {
  const params = { id };
  const clip = await client.call(getClip, { params });
  // Printed first, because the path is still useful if no file manager opens.
  if (!json && clip.path !== null) print(escapeInvisible(clip.path));
  await client.call(revealClip, { params });
  if (json) printJson(clip);
}

/** The actions that the flags ask for; none means that the clip is only shown. */
function requestedActions(flags: ClipFlags): string[] {
  const isExport = flags.export !== undefined || flags.size !== undefined;
  return [
    // With --trim, the title is that of the new clip.
    ...(flags.trim === undefined && hasChanges(flags) ? ["change"] : []),
    ...(flags.trim === undefined ? [] : ["trim"]),
    ...(flags.delete ? ["delete"] : []),
    ...(flags.restore ? ["restore"] : []),
    ...(isExport ? ["export"] : []),
    ...(flags.reveal ? ["reveal"] : []),
  ];
}

async function act(id: string, flags: ClipFlags): Promise<void> {
  const [action, ...others] = requestedActions(flags);
  if (others.length > 0)
    throw new InvalidSetting(`Use only one of these at a time: ${[action, ...others].join(", ")}.`);
  if (flags.out !== undefined && action !== "export") throw new InvalidSetting("--out needs --export or --size.");
  const connection = await connect(configFromFlags(flags));
  const { client } = connection;
  const params = { id };
  if (action === "export") return exportAndSave(connection, id, flags);
  if (action === "reveal") return reveal(connection, id, flags);
  if (flags.delete) {
    await client.call(deleteClip, { params, query: {} });
    if (!flags.json) return print(`Moved to the trash. Undo: kit clip ${escapeInvisible(id)} --restore`);
  } else if (flags.restore) await client.call(restoreClip, { params });
  else if (action === "change") await applyChanges(connection, id, flags);
  const trimmed = flags.trim && (await trimAndWait(connection, id, flags.trim, flags.rename ?? flags.title));
  const clip = trimmed ?? (await client.call(getClip, { params }));
  if (flags.json) printJson(clip);
  else printClip(clip);
}

export function clipCommand(): Command {
  return command("clip", "Show a clip; rename, tag, pin, trim, export, delete or restore it")
    .helpGroup(helpGroups.players)
    .argument("<id>", "a clip's id, from `kit clips`")
    .option("--pin", "never delete it to free up space")
    .option("--no-pin", "allow deleting it to free up space")
    .option("--rename <text>", "the new title; with --trim, the title of the trimmed clip")
    .addOption(new Option("--title <text>", "the same as --rename").hideHelp())
    .option("--tag <tag>", "add a tag; repeatable", collectValues)
    .option("--untag <tag>", "remove a tag; repeatable", collectValues)
    .option("--shared", "mark it as shared; shared clips are kept longer")
    .option("--trim <from-to>", "make a shorter clip from it, e.g. 3.5-12 or 0:03-1:02", parseClipRange)
    .addOption(new Option("--export <target>", "save a copy that fits this target").choices(exportTargetNames))
    .option("--size <size>", "save a copy of at most this size, e.g. 8MB", parseBytes)
    .option("--out <path>", "where to save the copy: a file or a folder (default: this folder)")
    .option("--reveal", "show the file in the file manager, and print its path")
    .option("--delete", "move it to the trash")
    .option("--restore", "restore it from the trash")
    .action(act);
}
