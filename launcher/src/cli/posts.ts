// `kit posts`: what became of social triggers, newest first; its parts decide on them and say what is posted of what.
import {
  changePostSettings,
  getPostSettings,
  listPosts,
  type Post,
  type PostSettings,
  type PostState,
  postStates,
  postsPageMax,
} from "@kit/contract";
import { type Command, Option } from "commander";
import { readWhole } from "./arguments.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson } from "./output.ts";
import { printPost } from "./post-line.ts";
import { postDecisions } from "./posts-decide.ts";
import { postRulesCommand } from "./posts-rules.ts";

type SettingFlags = CommonFlags & { undo?: number; expire?: number; hourly?: number };

function printSettings({ undoSeconds, expireHours, hourlyMax }: PostSettings): void {
  print(`An approval can be taken back for ${undoSeconds} s.`);
  print(`A draft nobody decides on expires after ${expireHours} h.`);
  print(`In an hour ${hourlyMax} posts are made at most.`);
}

async function act({ undo, expire, hourly, ...flags }: SettingFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const body = {
    ...(undo !== undefined && { undoSeconds: undo }),
    ...(expire !== undefined && { expireHours: expire }),
    ...(hourly !== undefined && { hourlyMax: hourly }),
  };
  const isChange = Object.keys(body).length > 0;
  const settings = isChange ? await client.call(changePostSettings, { body }) : await client.call(getPostSettings);
  if (flags.json) printJson(settings);
  else printSettings(settings);
}

/** `kit posts settings`: what holds for all posts. */
function postSettingsCommand(): Command {
  return command("settings", "Show or set what holds for all posts")
    .option("--undo <seconds>", "between approving and sending", readWhole(0, 600))
    .option("--expire <hours>", "after which nobody is asked any more", readWhole(1, 720))
    .option("--hourly <n>", "posts made in an hour at most", readWhole(1, 60))
    .action(act);
}

type PostsFlags = CommonFlags & {
  limit: number;
  state?: PostState;
  needs?: true;
  game?: string;
  before?: string;
};

const nothing = (isAll: boolean): string =>
  isAll
    ? "No posts yet. Say what is posted of what: kit posts rules add “mygame_*” --account ACCOUNT, then `kit fire social mygame_boss_defeated`."
    : "No such posts.";

function printPosts(posts: readonly Post[], more: boolean, drafts: number): void {
  for (const post of posts) printPost(post);
  if (more) print(`… more: kit posts --before ${posts.at(-1)?.id}`);
  if (drafts > 0) print(`${drafts} ${drafts === 1 ? "waits" : "wait"} for you. Send one: kit posts approve ID`);
}

async function list({ limit, state, needs, game, before, ...flags }: PostsFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const filter = { ...(state && { state }), ...(needs && { needs }), ...(game && { game }) };
  const query = { limit, ...filter, ...(before && { before }) };
  const { posts, more, drafts } = await client.call(listPosts, { query });
  if (flags.json) return printJson(posts);
  if (posts.length === 0) print(nothing(Object.keys(filter).length === 0 && !before));
  printPosts(posts, more, drafts);
}

export function postsCommand(): Command {
  const posts = command("posts", "List posts: what social triggers became, and how far they came")
    .option("--limit <n>", `how many, 1 to ${postsPageMax}`, readWhole(1, postsPageMax), 20)
    .addOption(new Option("--state <state>", "only these").choices(postStates))
    .option("--needs", "only what you have to decide: drafts, and what is unsure or failed")
    .option("--game <game>", "only this game; `unsorted` for those without one")
    .option("--before <id>", "only older ones than this")
    .action(list);
  for (const each of [...postDecisions(), postRulesCommand(), postSettingsCommand()]) posts.addCommand(each);
  return posts;
}
