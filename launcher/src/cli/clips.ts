// `kit clips`: lists clips, screenshots and markers; lists tags; previews which clips a cleanup would remove.
import {
  type Clip,
  type ClipKind,
  type ClipSort,
  clipKinds,
  clipSorts,
  clipsPageMax,
  listClips,
  listClipTags,
  planCleanup,
} from "@kit/contract";
import { type Command, Option } from "commander";
import { integerArgument } from "./arguments.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, printTable, styled } from "./output.ts";
import { formatBytes, formatDuration, parseBytes } from "./units.ts";

type ClipsFlags = CommonFlags & {
  limit: number;
  game?: string;
  kind?: ClipKind;
  before?: string;
  bin?: true;
  search?: string;
  tag?: string;
  pinned?: true;
  sort?: ClipSort;
};

const tones = { saved: "green", pending: "cyan", marked: "dim", failed: "red" } as const;

/** The clip's reason, flags, tags and notes in one line. */
export function clipRemarks(clip: Clip): string {
  const remarks = [
    ...(clip.reason === undefined ? [] : [clip.reason]),
    ...(clip.missing ? ["file missing"] : []),
    ...(clip.pinned ? ["pinned"] : []),
    ...clip.tags.map((tag) => `#${tag}`),
    ...clip.notes,
  ];
  return remarks.join("; ");
}

function clipLine(clip: Clip): string {
  const when = new Date(clip.startedAt).toLocaleString("sv-SE");
  const length = clip.kind === "clip" && clip.duration > 0 ? formatDuration(clip.duration) : "-";
  const remarks = clipRemarks(clip);
  const cells = [
    when,
    clip.id,
    length.padStart(5),
    escapeInvisible(clip.game ?? "unsorted"),
    escapeInvisible(clip.title),
  ];
  const state = clip.kind === "screenshot" ? `${clip.kind} ${clip.state}` : clip.state;
  return `${cells.join("  ")}  ${styled(tones[clip.state], state)}${remarks === "" ? "" : `  (${escapeInvisible(remarks)})`}`;
}

async function list({ limit, search, ...flags }: ClipsFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const { game, kind, before, bin, tag, pinned, sort } = flags;
  const filter = { ...(game && { game }), ...(kind && { kind }), ...(bin && { bin }), ...(before && { before }) };
  const searchFilter = {
    ...(search && { text: search }),
    ...(tag && { tag }),
    ...(pinned && { pinned }),
    ...(sort && { sort }),
  };
  const query = { limit, ...filter, ...searchFilter };
  const { clips, more, bytes, quotaBytes } = await client.call(listClips, { query });
  if (flags.json) return printJson(clips);
  for (const clip of clips) print(clipLine(clip));
  if (clips.length === 0) {
    const isFiltered = Object.keys({ ...searchFilter, ...filter }).some((name) => name !== "bin" && name !== "sort");
    const empty = bin
      ? "The trash is empty."
      : "No clips yet. Make one with `kit fire recording mygame_boss_defeated`.";
    print(isFiltered ? "No matching clips." : empty);
  } else if (more) print(`… more: kit clips --before ${clips.at(-1)?.id}`);
  print(styled("dim", `${formatBytes(bytes)} of ${formatBytes(quotaBytes)} used.`));
}

async function showCleanup(flags: CommonFlags & { quota?: number }): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const query = flags.quota === undefined ? {} : { quotaBytes: flags.quota };
  const plan = await client.call(planCleanup, { query });
  if (flags.json) return printJson(plan);
  print(`${formatBytes(plan.bytes)} of ${formatBytes(plan.quotaBytes)} used. This is a preview; nothing is removed.`);
  if (plan.goes.length === 0) return print("No clip would be removed.");
  printTable(
    ["removed", "size", "why", "title"],
    plan.goes.map(({ clip, why }) => [clip.id, formatBytes(clip.bytes), why, clip.title]),
  );
  if (!plan.fits) print("The clips would still not fit: pinned clips are never removed.");
}

async function showTags(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const { tags } = await client.call(listClipTags);
  if (flags.json) return printJson(tags);
  if (tags.length === 0) return print("No clip has a tag. Add one: kit clip <id> --tag boss");
  printTable(
    ["tag", "clips"],
    tags.map(({ tag, clips }) => [tag, String(clips)]),
  );
}

export function clipsCommand(): Command {
  const cleanup = command("cleanup", "Preview which clips would be removed to free up space, and why")
    .option("--quota <size>", "preview with this quota, e.g. 5GB", parseBytes)
    .action(showCleanup);
  const tags = command("tags", "List all tags").action(showTags);
  return command("clips", "List clips, screenshots and markers, newest first")
    .helpGroup(helpGroups.players)
    .option("--limit <n>", `how many to list, 1 to ${clipsPageMax}`, integerArgument(1, clipsPageMax), 20)
    .option("--before <id>", "continue after this clip")
    .option("--game <game>", "only this game; `unsorted` for clips without a game")
    .addOption(new Option("--kind <kind>", "only this kind").choices(clipKinds))
    .option("--search <words>", "only clips whose title, events or tags contain these words")
    .option("--tag <tag>", "only clips with this tag")
    .option("--pinned", "only pinned clips")
    .addOption(new Option("--sort <order>", "the order (default: newest first)").choices(clipSorts))
    .option("--bin", "list the trash instead")
    .action(list)
    .addCommand(cleanup)
    .addCommand(tags);
}
