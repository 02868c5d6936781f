// `kit clip ID`: one clip in full, and what can be done with it.
import { type Clip, changeClip, deleteClip, getClip, restoreClip } from "@kit/contract";
import type { Command } from "commander";
import { BadSetting } from "../config.ts";
import { remarksOf } from "./clips.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, styled } from "./output.ts";
import { bytesText, lengthText } from "./sizes.ts";
import { visible } from "./visible.ts";

type ClipFlags = CommonFlags & { pin?: boolean; title?: string; shared?: boolean; delete?: true; restore?: true };

function printClip(clip: Clip): void {
  const line = (name: string, value: string | null) => {
    if (value !== null && value !== "") print(`${styled("bold", name.padEnd(8))} ${visible(value)}`);
  };
  line("id", clip.id);
  line("title", clip.title);
  line("game", clip.game ?? "unsorted");
  line("is", clip.kind === "marker" ? "a marker: no video was kept" : `a ${clip.kind}, ${clip.state}`);
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

async function act(id: string, flags: ClipFlags): Promise<void> {
  const change = {
    ...(flags.pin !== undefined && { pinned: flags.pin }),
    ...(flags.title !== undefined && { title: flags.title }),
    ...(flags.shared !== undefined && { shared: flags.shared }),
  };
  const changes = Object.keys(change).length > 0;
  if (Number(changes) + Number(flags.delete ?? false) + Number(flags.restore ?? false) > 1) {
    throw new BadSetting("Delete, restore or change a clip: one at a time.");
  }
  const { client } = await connect(configOf(flags));
  const params = { id };
  if (flags.delete) {
    await client.call(deleteClip, { params, query: {} });
    if (!flags.json) return print(`It lies in the bin. Undo: kit clip ${visible(id)} --restore`);
  } else if (flags.restore) await client.call(restoreClip, { params });
  else if (changes) await client.call(changeClip, { params, body: change });
  const clip = await client.call(getClip, { params });
  if (flags.json) printJson(clip);
  else printClip(clip);
}

export function clipCommand(): Command {
  return command("clip", "Show a clip; pin it, name it, put it into the bin or take it back")
    .argument("<id>", "a clip's id, from `kit clips`")
    .option("--pin", "never remove it to make room")
    .option("--no-pin", "it may go again")
    .option("--title <text>", "name it anew")
    .option("--shared", "mark it as shared: it is kept longer")
    .option("--delete", "put it into the bin")
    .option("--restore", "take it back out of the bin")
    .action(act);
}
