// `kit clips`: what recording kept, searched and sorted; the tags there are; and what would go if room were needed.
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
import { readWhole } from "./arguments.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, printTable, styled } from "./output.ts";
import { bytesText, lengthText, readBytes } from "./sizes.ts";
import { visible } from "./visible.ts";

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

/** What a person has to know beside the state. */
export function remarksOf(clip: Clip): string {
  const remarks = [
    ...(clip.reason === undefined ? [] : [clip.reason]),
    ...(clip.missing ? ["the file is gone"] : []),
    ...(clip.pinned ? ["pinned"] : []),
    ...clip.tags.map((tag) => `#${tag}`),
    ...clip.notes,
  ];
  return remarks.join("; ");
}

function clipLine(clip: Clip): string {
  const when = new Date(clip.startedAt).toLocaleString("sv-SE");
  const length = clip.kind === "clip" && clip.duration > 0 ? lengthText(clip.duration) : "-";
  const remarks = remarksOf(clip);
  const cells = [when, clip.id, length.padStart(5), visible(clip.game ?? "unsorted"), visible(clip.title)];
  const state = clip.kind === "screenshot" ? `${clip.kind} ${clip.state}` : clip.state;
  return `${cells.join("  ")}  ${styled(tones[clip.state], state)}${remarks === "" ? "" : `  (${visible(remarks)})`}`;
}

async function list({ limit, search, ...flags }: ClipsFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const { game, kind, before, bin, tag, pinned, sort } = flags;
  const which = { ...(game && { game }), ...(kind && { kind }), ...(bin && { bin }), ...(before && { before }) };
  const found = {
    ...(search && { text: search }),
    ...(tag && { tag }),
    ...(pinned && { pinned }),
    ...(sort && { sort }),
  };
  const query = { limit, ...which, ...found };
  const { clips, more, bytes, quotaBytes } = await client.call(listClips, { query });
  if (flags.json) return printJson(clips);
  for (const clip of clips) print(clipLine(clip));
  if (clips.length === 0) {
    const isPart = Object.keys({ ...found, ...which }).some((name) => name !== "bin" && name !== "sort");
    const none = bin ? "The bin is empty." : "No clips yet. Make one with `kit fire recording mygame_boss_defeated`.";
    print(isPart ? "None that fits." : none);
  } else if (more) print(`… more of them: --before ${clips.at(-1)?.id}`);
  print(styled("dim", `${bytesText(bytes)} of ${bytesText(quotaBytes)} are used.`));
}

async function showCleanup(flags: CommonFlags & { quota?: number }): Promise<void> {
  const { client } = await connect(configOf(flags));
  const query = flags.quota === undefined ? {} : { quotaBytes: flags.quota };
  const plan = await client.call(planCleanup, { query });
  if (flags.json) return printJson(plan);
  print(`${bytesText(plan.bytes)} are used; ${bytesText(plan.quotaBytes)} may be. Nothing is removed by asking.`);
  if (plan.goes.length === 0) return print("Nothing would go.");
  printTable(
    ["goes", "bytes", "why", "title"],
    plan.goes.map(({ clip, why }) => [clip.id, bytesText(clip.bytes), why, clip.title]),
  );
  if (!plan.fits) print("It would still not fit: what is pinned never goes.");
}

async function showTags(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const { tags } = await client.call(listClipTags);
  if (flags.json) return printJson(tags);
  if (tags.length === 0) return print("No clip has a tag. Give one: kit clip <id> --tag boss");
  printTable(
    ["tag", "clips"],
    tags.map(({ tag, clips }) => [tag, String(clips)]),
  );
}

export function clipsCommand(): Command {
  const cleanup = command("cleanup", "Show what would go, and why, if room were needed; removes nothing")
    .option("--quota <size>", "as if the clips had to fit into this, e.g. 5GB", readBytes)
    .action(showCleanup);
  const tags = command("tags", "List the tags clips have").action(showTags);
  return command("clips", "List clips, screenshots and markers, newest first")
    .option("--limit <n>", `how many, 1 to ${clipsPageMax}`, readWhole(1, clipsPageMax), 20)
    .option("--before <id>", "only those behind this one")
    .option("--game <game>", "only this game; `unsorted` for those without one")
    .addOption(new Option("--kind <kind>", "only these").choices(clipKinds))
    .option("--search <words>", "only those whose title, events or tags hold these words")
    .option("--tag <tag>", "only those with this tag")
    .option("--pinned", "only those that are pinned")
    .addOption(new Option("--sort <order>", "newest first by default").choices(clipSorts))
    .option("--bin", "what lies in the bin")
    .action(list)
    .addCommand(cleanup)
    .addCommand(tags);
}
