// `kit posts approve|skip|undo|edit|settle`: a person's decisions on posts and deliveries.
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
import { InvalidSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { exitCodes } from "./exit-codes.ts";
import { type CommonFlags, command, configFromFlags } from "./options.ts";
import { print, printError, printJson } from "./output.ts";
import { printPost } from "./post-line.ts";

type Decision = typeof approvePost | typeof skipPost | typeof undoPost;
type DecideFlags = CommonFlags & { all?: true };

async function postIdsInState(client: Client, state: PostState): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const last = ids.at(-1);
    const query = { state, limit: postsPageMax, ...(last !== undefined && { before: last }) };
    const { posts, more } = await client.call(listPosts, { query });
    ids.push(...posts.map(({ id }) => id));
    if (!more) return ids;
  }
}

/** Applies the decision to each post, oldest first. If one fails, prints the error and continues with the others. */
async function decide(operation: Decision, allInState: PostState, given: readonly string[], flags: DecideFlags) {
  if (given.length > 0 === (flags.all === true)) throw new InvalidSetting("Give ids of posts, or --all.");
  const { client } = await connect(configFromFlags(flags));
  const ids = flags.all ? (await postIdsInState(client, allInState)).reverse() : given;
  const posts: Post[] = [];
  for (const id of ids) {
    try {
      posts.push(await client.call(operation, { params: { id } }));
    } catch (error) {
      if (!(error instanceof KitError)) throw error;
      process.exitCode = exitCodes.refused;
      printError(escapeInvisible(`${id}: ${error.message}`));
    }
  }
  if (flags.json) return printJson(posts);
  for (const post of posts) printPost(post);
  if (ids.length === 0) print(`No post is ${allInState === "draft" ? "a draft" : allInState}.`);
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
  if (Object.keys(body).length === 0)
    throw new InvalidSetting("Nothing to change. Use an option such as --text “At last!”.");
  const { client } = await connect(configFromFlags(flags));
  const post = await client.call(changePost, { params: { id }, body });
  if (flags.json) printJson(post);
  else printPost(post);
}

const settlements = ["sent", "again", "dropped"] as const;

async function settle(id: string, named: string, as: (typeof settlements)[number], flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const { deliveries } = await client.call(getPost, { params: { id } });
  const found = deliveries.filter(({ account, name }) => account === named || name === named);
  const names = deliveries.map(({ name, account }) => `${name} (${account})`).join(", ");
  const [delivery] = found;
  if (delivery === undefined || found.length > 1)
    throw new InvalidSetting(
      `${found.length === 0 ? "The post has no delivery to" : "Several accounts are named"} ${named}. Use one of ${names}.`,
    );
  const params = { id, account: delivery.account };
  const post = await client.call(settleDelivery, { params, body: { as } });
  if (flags.json) printJson(post);
  else printPost(post);
}

export function postDecisionCommands(): Command[] {
  const id = () => new Argument("<id>", "a post's id, from `kit posts`");
  const decision = (name: string, description: string, operation: Decision, all: PostState, allHelp: string) =>
    command(name, description)
      .argument("[ids...]", "posts' ids, from `kit posts`")
      .option("--all", allHelp)
      .action((ids: readonly string[], flags: DecideFlags) => decide(operation, all, ids, flags));
  return [
    decision("approve", "Approve drafts; they are sent after the undo time", approvePost, "draft", "every draft"),
    decision("skip", "Skip drafts, so that they are not sent", skipPost, "draft", "every draft"),
    decision("undo", "Undo an approval or a skip", undoPost, "approved", "every approved post"),
    command("edit", "Change a draft")
      .addArgument(id())
      .option("--text <text>", "the text")
      .option("--alt-text <text>", "alternative text that describes its footage")
      .option("--warning <text>", "content warning; empty to remove it")
      .addOption(new Option("--attach <what>", "the footage to attach").choices(attachments))
      .addOption(new Option("--visibility <who>", "who can see it, if the network supports that").choices(visibilities))
      .action(edit),
    command("settle", "Decide about a delivery that failed or whose outcome is unknown")
      .addArgument(id())
      .argument("<account>", "the account's id or name")
      .addArgument(
        new Argument("<as>", "sent: it did arrive; again: send it again; dropped: give up").choices(settlements),
      )
      .action(settle),
  ];
}
