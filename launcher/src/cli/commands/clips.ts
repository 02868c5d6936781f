// `kit clips`: lists clips, screenshots and markers; lists tags; copies files; previews which clips a cleanup would remove.
// `kit clip ID`: shows one clip, or changes, trims, deletes, restores or reveals it.
import {
  type Client,
  type Clip,
  changeClip,
  cleanupOrders,
  clipKinds,
  clipSorts,
  clipsPageMax,
  copyClipFiles,
  deleteClip,
  getClip,
  listClips,
  listClipTags,
  planCleanup,
  restoreClip,
  revealClip,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import {
  answer,
  type CommandContext,
  choiceFlag,
  command,
  Flag,
  filterFlag,
  hiddenFlag,
  isUnfiltered,
  negatedFlag,
  pageFlags,
  parameter,
  parseByteSize,
  parsedFlag,
  textFlag,
  toggleFlag,
} from "../command.ts";
import { fetchNames, type PrintedNames } from "../names.ts";
import {
  createFieldPrinter,
  escapeInvisible,
  formatBytes,
  formatDuration,
  formatLocalTime,
  kit,
  print,
  printTable,
  say,
  withStyle,
} from "../output.ts";
import { clipRange, exportClipCommand, frameCommand, trimAndWait } from "./export-clip.ts";
import { reelCommand } from "./reel.ts";

const copyCommand = command("copy", "Put the files of clips on the clipboard, to paste them elsewhere", {
  parameters: [parameter("<id...>", "the ids of the clips, from `kit clips`")],
  async run({ client }, clips) {
    await client.call(copyClipFiles, { body: { clips: [...clips] } });
    return answer({ clips }, async () => {
      print(clips.length === 1 ? "Copied the file." : `Copied ${clips.length} files.`);
      const copied = await Promise.all(clips.map((id) => client.call(getClip, { params: { id } })));
      if (copied.some(({ microphone }) => microphone))
        print(`With your microphone, as a second sound track. \`${kit("clips export")}\` leaves it out.`);
    });
  },
});

const tones = { saved: "green", pending: "cyan", marked: "dim", failed: "red" } as const;

/** Returns in one line: the clip's reason, whether its file is missing, whether it is pinned, its tags and notes. */
function clipRemarks(clip: Clip): string {
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
      if (all.length === 0) return print(`No clip has a tag. Add one: ${kit("clip ID --tag boss")}`);
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
      : `No clips yet. Make one with \`${kit("fire recording mygame_boss_defeated")}\`.`;
    return answer(clips, async () => {
      const names = await fetchNames(client);
      for (const clip of clips) print(clipLine(clip, names));
      if (clips.length === 0) print(isUnfiltered(filters) ? empty : "No matching clips.");
      else if (more) print(`… more: ${kit(`clips --before ${clips.at(-1)?.id}`)}`);
      print(withStyle("dim", `${formatBytes(bytes)} of ${formatBytes(quotaBytes)} used.`));
    });
  },
});

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
  if (clip.deletedAt !== null) line("trash", `deleted ${clip.deletedAt}; undo: ${kit(`clip ${clip.id} --restore`)}`);
}

type Action = "change" | "trim" | "delete" | "restore" | "reveal";

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
    reveal: flags.reveal === true,
  };
  const actions = (Object.keys(isRequested) as Action[]).filter((action) => isRequested[action]);
  if (actions.length > 1) throw new InvalidSetting(`Use only one of these at a time: ${actions.join(", ")}.`);
  const [action] = actions;
  return action;
}

export const clipCommand = command("clip", "Show a clip; rename, tag, pin, trim, delete or restore it", {
  group: "players",
  parameters: [parameter("<id>", "a clip's id, from `kit clips`")],
  flags: clipFlags,
  async run({ client, flags, json }, id) {
    const params = { id };
    switch (requestedAction(flags)) {
      case "reveal": {
        const clip = await client.call(getClip, { params });
        // The path is printed first, because it is still useful if no file manager opens.
        if (!json && clip.path !== null) print(escapeInvisible(clip.path));
        await client.call(revealClip, { params });
        return json ? answer(clip, printClip) : undefined;
      }
      case "delete":
        await client.call(deleteClip, { params, query: {} });
        if (!json)
          return answer(undefined, `Moved to the trash. Undo: ${kit(`clip ${escapeInvisible(id)} --restore`)}`);
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
