// `kit posts`: lists posts; its subcommands decide on posts and manage the post rules.
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
import { integerArgument } from "./arguments.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson } from "./output.ts";
import { printPost } from "./post-line.ts";
import { postDecisionCommands } from "./posts-decide.ts";
import { postRulesCommand } from "./posts-rules.ts";

type SettingFlags = CommonFlags & { undo?: number; expire?: number; hourly?: number };

function printSettings({ undoSeconds, expireHours, hourlyMax }: PostSettings): void {
  print(`You can undo an approval for ${undoSeconds} s.`);
  print(`A draft expires after ${expireHours} h without a decision.`);
  print(`Kit creates at most ${hourlyMax} posts an hour.`);
}

async function act({ undo, expire, hourly, ...flags }: SettingFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
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

/** `kit posts settings`: settings for all posts. */
function postSettingsCommand(): Command {
  return command("settings", "Show or change the settings for all posts")
    .option("--undo <seconds>", "undo time between approving and sending", integerArgument(0, 600))
    .option("--expire <hours>", "hours after which a draft expires", integerArgument(1, 720))
    .option("--hourly <n>", "maximum posts per hour", integerArgument(1, 60))
    .action(act);
}

type PostsFlags = CommonFlags & {
  limit: number;
  state?: PostState;
  needs?: true;
  game?: string;
  before?: string;
};

const emptyText = (isAll: boolean): string =>
  isAll
    ? "No posts yet. Add a rule: kit posts rules add “mygame_*” --account ACCOUNT, then `kit fire social mygame_boss_defeated`."
    : "No matching posts.";

function printPosts(posts: readonly Post[], more: boolean, drafts: number): void {
  for (const post of posts) printPost(post);
  if (more) print(`… more: kit posts --before ${posts.at(-1)?.id}`);
  if (drafts > 0)
    print(
      `${drafts} ${drafts === 1 ? "draft waits" : "drafts wait"} for your approval. Approve one: kit posts approve ID`,
    );
}

async function list({ limit, state, needs, game, before, ...flags }: PostsFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const filter = { ...(state && { state }), ...(needs && { needs }), ...(game && { game }) };
  const query = { limit, ...filter, ...(before && { before }) };
  const { posts, more, drafts } = await client.call(listPosts, { query });
  if (flags.json) return printJson(posts);
  if (posts.length === 0) print(emptyText(Object.keys(filter).length === 0 && !before));
  printPosts(posts, more, drafts);
}

export function postsCommand(): Command {
  const posts = command("posts", "List posts and their deliveries; approve, edit or skip them; manage post rules")
    .helpGroup(helpGroups.players)
    .option("--limit <n>", `how many to list, 1 to ${postsPageMax}`, integerArgument(1, postsPageMax), 20)
    .addOption(new Option("--state <state>", "only posts in this state").choices(postStates))
    .option("--needs", "only posts that need a decision: drafts, failed and uncertain deliveries")
    .option("--game <game>", "only this game; `unsorted` for posts without a game")
    .option("--before <id>", "continue after this post")
    .action(list);
  for (const each of [...postDecisionCommands(), postRulesCommand(), postSettingsCommand()]) posts.addCommand(each);
  return posts;
}
