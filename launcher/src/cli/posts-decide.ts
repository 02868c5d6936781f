// `kit posts approve|skip|undo|edit|settle`: what a person decides on posts.
import {
  approvePost,
  attachments,
  type BodyOf,
  type Client,
  changePost,
  getPost,
  KitError,
  listPosts,
  type Post,
  type PostState,
  postsPageMax,
  settleDelivery,
  skipPost,
  undoPost,
  visibilities,
} from "@kit/contract";
import { Argument, type Command, Option } from "commander";
import { BadSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printError, printJson } from "./output.ts";
import { printPost } from "./post-line.ts";
import { visible } from "./visible.ts";

type Decision = typeof approvePost | typeof skipPost | typeof undoPost;
type DecideFlags = CommonFlags & { all?: true };

async function idsOf(client: Client, state: PostState): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const last = ids.at(-1);
    const query = { state, limit: postsPageMax, ...(last !== undefined && { before: last }) };
    const { posts, more } = await client.call(listPosts, { query });
    ids.push(...posts.map(({ id }) => id));
    if (!more) return ids;
  }
}

/** Each by itself, the oldest first: what cannot be done to one is said, and the others go on. */
async function decide(operation: Decision, all: PostState, given: readonly string[], flags: DecideFlags) {
  if (given.length > 0 === (flags.all === true)) throw new BadSetting("Give the ids of posts, or --all.");
  const { client } = await connect(configOf(flags));
  const ids = flags.all ? (await idsOf(client, all)).reverse() : given;
  const posts: Post[] = [];
  for (const id of ids) {
    try {
      posts.push(await client.call(operation, { params: { id } }));
    } catch (error) {
      if (!(error instanceof KitError)) throw error;
      process.exitCode = exitCodes.refused;
      printError(visible(`${id}: ${error.message}`));
    }
  }
  if (flags.json) return printJson(posts);
  for (const post of posts) printPost(post);
  if (ids.length === 0) print(`There is no post that is ${all === "draft" ? "a draft" : all}.`);
}

type EditFlags = CommonFlags & {
  text?: string;
  altText?: string;
  warning?: string;
  attach?: Post["attach"];
  visibility?: Post["visibility"];
};

async function edit(id: string, { text, altText, warning, attach, visibility, ...flags }: EditFlags): Promise<void> {
  const body: BodyOf<typeof changePost> = {
    ...(text !== undefined && { text }),
    ...(altText !== undefined && { altText }),
    ...(warning !== undefined && { contentWarning: warning }),
    ...(attach && { attach }),
    ...(visibility && { visibility }),
  };
  if (Object.keys(body).length === 0) throw new BadSetting("Say what changes, e.g. --text “At last!”.");
  const { client } = await connect(configOf(flags));
  const post = await client.call(changePost, { params: { id }, body });
  if (flags.json) printJson(post);
  else printPost(post);
}

const settledAs = ["sent", "again", "dropped"] as const;

async function settle(id: string, named: string, as: (typeof settledAs)[number], flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const { deliveries } = await client.call(getPost, { params: { id } });
  const found = deliveries.filter(({ account, name }) => account === named || name === named);
  const names = deliveries.map(({ name, account }) => `${name} (${account})`).join(", ");
  const [delivery] = found;
  if (delivery === undefined || found.length > 1)
    throw new BadSetting(
      `${found.length === 0 ? "It does not go to" : "More than one is named"} ${named}: give one of ${names}.`,
    );
  const params = { id, account: delivery.account };
  const post = await client.call(settleDelivery, { params, body: { as } });
  if (flags.json) printJson(post);
  else printPost(post);
}

export function postDecisions(): Command[] {
  const id = () => new Argument("<id>", "a post's id, from `kit posts`");
  const decision = (name: string, says: string, operation: Decision, all: PostState, allSays: string) =>
    command(name, says)
      .argument("[ids...]", "posts' ids, from `kit posts`")
      .option("--all", allSays)
      .action((ids: readonly string[], flags: DecideFlags) => decide(operation, all, ids, flags));
  return [
    decision("approve", "Have drafts sent, once the time to undo is over", approvePost, "draft", "every draft"),
    decision("skip", "Decide that drafts are not sent", skipPost, "draft", "every draft"),
    decision("undo", "Take an approval back, or take up again what was skipped", undoPost, "approved", "all approved"),
    command("edit", "Change a draft")
      .addArgument(id())
      .option("--text <text>", "what it says")
      .option("--alt-text <text>", "what its footage shows, for who cannot see it")
      .option("--warning <text>", "shown before it; empty for none")
      .addOption(new Option("--attach <what>", "what it shows of its moment").choices(attachments))
      .addOption(new Option("--visibility <who>", "who sees it, where the network has that").choices(visibilities))
      .action(edit),
    command("settle", "Decide on a delivery that may have arrived, or has failed")
      .addArgument(id())
      .argument("<account>", "the account's id or name")
      .addArgument(
        new Argument("<as>", "sent: you saw it there; again: send it once more; dropped: give it up").choices(
          settledAs,
        ),
      )
      .action(settle),
  ];
}
