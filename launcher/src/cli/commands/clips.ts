// `kit clips`: lists clips, screenshots and markers; lists tags; previews which clips a cleanup would remove.

import {
  type Clip,
  cleanupOrders,
  clipKinds,
  clipSorts,
  clipsPageMax,
  listClips,
  listClipTags,
  planCleanup,
} from "@kit/contract";
import {
  answer,
  choiceFlag,
  command,
  filterFlag,
  isUnfiltered,
  pageFlags,
  parseByteSize,
  parsedFlag,
  toggleFlag,
} from "../command.ts";
import { fetchNames, type PrintedNames } from "../names.ts";
import {
  escapeInvisible,
  formatBytes,
  formatDuration,
  formatLocalTime,
  print,
  printTable,
  say,
  withStyle,
} from "../output.ts";
import { copyCommand } from "./copy.ts";
import { exportClipCommand, frameCommand } from "./export-clip.ts";
import { reelCommand } from "./reel.ts";

const tones = { saved: "green", pending: "cyan", marked: "dim", failed: "red" } as const;

/** Returns in one line: the clip's reason, whether its file is missing, whether it is pinned, its tags and notes. */
export function clipRemarks(clip: Clip): string {
  const remarks = [
    ...(clip.reason === undefined ? [] : [say(clip.reason)]),
    ...(clip.missing ? ["file missing"] : []),
    ...(clip.pinned ? ["pinned"] : []),
    ...clip.tags.map((tag) => `#${tag}`),
    ...clip.notes.map(say),
  ];
  return remarks.join("; ");
}

function clipLine(clip: Clip, { gameName }: PrintedNames): string {
  const length = clip.kind === "clip" && clip.duration > 0 ? formatDuration(clip.duration) : "-";
  const remarks = clipRemarks(clip);
  const state = withStyle(tones[clip.state], clip.kind === "screenshot" ? `${clip.kind} ${clip.state}` : clip.state);
  const cells = [
    formatLocalTime(clip.startedAt),
    clip.id,
    length.padStart(5),
    gameName(clip.game),
    escapeInvisible(say(clip.titleMessage ?? clip.title)),
    state,
    ...(remarks === "" ? [] : [`(${escapeInvisible(remarks)})`]),
  ];
  return cells.join("  ");
}

const cleanup = command("cleanup", "Preview which clips would be removed to free up space, and why", {
  flags: {
    quotaBytes: parsedFlag("--quota <size>", "preview with this quota, e.g. 5GB", parseByteSize),
    freeBytes: parsedFlag("--free <size>", "preview what frees this much space, e.g. 5GB", parseByteSize),
    by: choiceFlag(
      "--by <order>",
      "the least important or the oldest clips first (default: importance)",
      cleanupOrders,
    ),
    game: filterFlag("--game <game>", "only clips of this game"),
  },
  run: async ({ client, flags }) =>
    answer(await client.call(planCleanup, { query: flags }), ({ bytes, quotaBytes, goes, fits }) => {
      print(`${formatBytes(bytes)} of ${formatBytes(quotaBytes)} used. This is a preview; nothing is removed.`);
      if (goes.length === 0) return print("No clip would be removed.");
      const rows = goes.map(({ clip, why }) => [
        clip.id,
        formatBytes(clip.bytes),
        say(why),
        say(clip.titleMessage ?? clip.title),
      ]);
      printTable(["removed", "size", "why", "title"], rows);
      if (!fits) print("The clips would still not fit: pinned clips are never removed.");
    }),
});

const tags = command("tags", "List all tags", {
  async run({ client }) {
    const all = (await client.call(listClipTags)).tags;
    return answer(all, () => {
      if (all.length === 0) return print("No clip has a tag. Add one: kit clip <id> --tag boss");
      const rows = all.map(({ tag, clips }) => [tag, String(clips)]);
      printTable(["tag", "clips"], rows);
    });
  },
});

export const clipsCommand = command("clips", "List clips, screenshots and markers, newest first", {
  group: "players",
  subcommands: [cleanup, tags, copyCommand, exportClipCommand, frameCommand, reelCommand],
  flags: {
    ...pageFlags("clip", clipsPageMax),
    kind: choiceFlag("--kind <kind>", "only this kind", clipKinds),
    text: filterFlag("--search <words>", "only clips whose title, events or tags contain these words"),
    tag: filterFlag("--tag <tag>", "only clips with this tag"),
    pinned: toggleFlag("--pinned", "only pinned clips"),
    sort: choiceFlag("--sort <order>", "the order (default: newest first)", clipSorts),
    bin: toggleFlag("--bin", "list the trash instead"),
  },
  async run({ client, flags }) {
    const { clips, more, bytes, quotaBytes } = await client.call(listClips, { query: flags });
    const { bin, ...filters } = flags;
    const empty = bin
      ? "The trash is empty."
      : "No clips yet. Make one with `kit fire recording mygame_boss_defeated`.";
    return answer(clips, async () => {
      const names = await fetchNames(client);
      for (const clip of clips) print(clipLine(clip, names));
      if (clips.length === 0) print(isUnfiltered(filters) ? empty : "No matching clips.");
      else if (more) print(`… more: kit clips --before ${clips.at(-1)?.id}`);
      print(withStyle("dim", `${formatBytes(bytes)} of ${formatBytes(quotaBytes)} used.`));
    });
  },
});
