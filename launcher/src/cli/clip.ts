// `kit clip ID`: one clip in full, and what can be done with it.
import { type Clip, deleteClip, getClip, restoreClip, revealClip } from "@kit/contract";
import { type Command, Option } from "commander";
import { BadSetting } from "../config.ts";
import { type ChangeFlags, change, changes, gather, readStretch, type Stretch, trim } from "./clip-change.ts";
import { type ExportFlags, exportTargetNames, exportTo } from "./clip-export.ts";
import { remarksOf } from "./clips.ts";
import { type Connection, connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, styled } from "./output.ts";
import { bytesText, lengthText, readBytes } from "./sizes.ts";
import { visible } from "./visible.ts";

type ClipFlags = CommonFlags &
  ChangeFlags &
  ExportFlags & { delete?: true; restore?: true; trim?: Stretch; reveal?: true };

function printClip(clip: Clip): void {
  const line = (name: string, value: string | null) => {
    if (value !== null && value !== "") print(`${styled("bold", name.padEnd(8))} ${visible(value)}`);
  };
  line("id", clip.id);
  line("title", clip.title);
  line("game", clip.game ?? "unsorted");
  line("is", clip.kind === "marker" ? "a marker: no video was kept" : `a ${clip.kind}, ${clip.state}`);
  line("tags", clip.tags.join(", "));
  line("part of", clip.trimmedFrom);
  line("remarks", remarksOf(clip));
  line("began", clip.startedAt);
  if (clip.state === "saved") {
    line("length", clip.kind === "clip" ? `${lengthText(clip.duration)} (${clip.duration.toFixed(2)} s)` : null);
    line("picture", `${clip.width} × ${clip.height}, ${bytesText(clip.bytes)}, captured by ${clip.backend}`);
  }
  line("file", clip.path);
  for (const { offset, label, id } of clip.events) line("event", `${lengthText(Math.max(0, offset))}  ${label}  ${id}`);
  if (clip.deletedAt !== null) line("bin", `deleted ${clip.deletedAt}; undo: kit clip ${clip.id} --restore`);
}

async function reveal({ client }: Connection, id: string, { json = false }: ClipFlags): Promise<void> {
  const params = { id };
  const clip = await client.call(getClip, { params });
  // Said before it is tried: where no window opens, the path is what a person needs.
  if (!json && clip.path !== null) print(visible(clip.path));
  await client.call(revealClip, { params });
  if (json) printJson(clip);
}

/** What is done with a clip beside showing it, by the options that ask for it. */
function asked(flags: ClipFlags): string[] {
  const isExport = flags.export !== undefined || flags.size !== undefined;
  return [
    // With a trim the name is the part's.
    ...(flags.trim === undefined && changes(flags) ? ["change"] : []),
    ...(flags.trim === undefined ? [] : ["trim"]),
    ...(flags.delete ? ["delete"] : []),
    ...(flags.restore ? ["restore"] : []),
    ...(isExport ? ["export"] : []),
    ...(flags.reveal ? ["reveal"] : []),
  ];
}

async function act(id: string, flags: ClipFlags): Promise<void> {
  const [what, ...others] = asked(flags);
  if (others.length > 0) throw new BadSetting(`One thing at a time: ${[what, ...others].join(", ")}.`);
  if (flags.out !== undefined && what !== "export") throw new BadSetting("--out goes with --export or --size.");
  const connection = await connect(configOf(flags));
  const { client } = connection;
  const params = { id };
  if (what === "export") return exportTo(connection, id, flags);
  if (what === "reveal") return reveal(connection, id, flags);
  if (flags.delete) {
    await client.call(deleteClip, { params, query: {} });
    if (!flags.json) return print(`It lies in the bin. Undo: kit clip ${visible(id)} --restore`);
  } else if (flags.restore) await client.call(restoreClip, { params });
  else if (what === "change") await change(connection, id, flags);
  const part = flags.trim && (await trim(connection, id, flags.trim, flags.rename ?? flags.title));
  const clip = part ?? (await client.call(getClip, { params }));
  if (flags.json) printJson(clip);
  else printClip(clip);
}

export function clipCommand(): Command {
  return command("clip", "Show a clip; name, tag, pin, trim or export it, put it into the bin or take it back")
    .argument("<id>", "a clip's id, from `kit clips`")
    .option("--pin", "never remove it to make room")
    .option("--no-pin", "it may go again")
    .option("--rename <text>", "name it anew; with --trim, name the part")
    .addOption(new Option("--title <text>", "the same as --rename").hideHelp())
    .option("--tag <tag>", "file it under this; may be given more than once", gather)
    .option("--untag <tag>", "no longer file it under this", gather)
    .option("--shared", "mark it as shared: it is kept longer")
    .option("--trim <from-to>", "make a part of it a clip of its own, e.g. 3.5-12 or 0:03-1:02", readStretch)
    .addOption(new Option("--export <target>", "save a copy that fits there").choices(exportTargetNames))
    .option("--size <size>", "save a copy of at most this size, e.g. 8MB", readBytes)
    .option("--out <path>", "where to save the copy: a file, or a folder (default: here)")
    .option("--reveal", "show its file in the file manager, and print its path")
    .option("--delete", "put it into the bin")
    .option("--restore", "take it back out of the bin")
    .action(act);
}
