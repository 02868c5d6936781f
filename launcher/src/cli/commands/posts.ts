// `kit posts`: lists posts, decides on posts and deliveries, and changes the settings of all posts.
import {
  addPostRule,
  approvePost,
  attachments,
  type Client,
  changePost,
  changePostRule,
  changePostSettings,
  createPost,
  type Delivery,
  getPost,
  getPostSettings,
  KitError,
  listPostRules,
  listPosts,
  type Post,
  type PostRule,
  type PostSettings,
  type PostState,
  postStates,
  postsPageMax,
  removePostRule,
  repeatedDeliveries,
  settleDelivery,
  skipPost,
  undoPost,
  visibilities,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { languageOf } from "../../reader-language.ts";
import {
  answer,
  type CommandContext,
  choiceFlag,
  command,
  integerParser,
  isUnfiltered,
  pageFlags,
  parameter,
  parsedFlag,
  textFlag,
  textsFlag,
  toggleFlag,
} from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { fetchNames, type PrintedNames } from "../names.ts";
import { escapeInvisible, formatLocalTime, kit, print, printError, printTable, say, withStyle } from "../output.ts";
import { setExitCode } from "../terminal.ts";
import { fetchAccounts, findAccount } from "./accounts.ts";
import { clipRange, trimAndWait } from "./export-clip.ts";

const tones = {
  draft: "yellow",
  held: "yellow",
  approved: "cyan",
  sending: "cyan",
  sent: "green",
  unsure: "red",
  failed: "red",
  skipped: "dim",
  expired: "dim",
} as const;
const textShown = 80;

const postExcerpt = ({ text: whole, contentWarning }: Post): string => {
  const [firstLine = ""] = whole.split("\n", 1);
  const shown = contentWarning === "" ? firstLine : `[${contentWarning}] ${firstLine}`;
  const characters = [...shown];
  const isCut = characters.length > textShown || firstLine !== whole;
  return escapeInvisible(isCut ? `${characters.slice(0, textShown).join("")}…` : shown);
};

function footageText({ attach, footage }: Post): string {
  if (attach === "none") return "no footage";
  const states = { none: "none", pending: "in progress", ready: "ready", missing: "missing" } as const;
  const { state, part, clipSeconds: all } = footage;
  return `${attach} ${states[state]}${part === null ? "" : `, ${part.fromSeconds}-${part.toSeconds} of ${all} s`}`;
}

function deliveryLine({ name, state, says, link, nextTryAt, progress, notes }: Delivery): string {
  const share = progress === null ? "" : ` ${Math.floor(progress * 100)} %`;
  const next = nextTryAt === null ? "" : `next try at ${nextTryAt}`;
  const more = [say(says ?? ""), link ?? "", next, ...notes.map(say)].filter((part) => part !== "");
  return escapeInvisible(`${name}: ${state}${share}${more.length > 0 ? `; ${more.join("; ")}` : ""}`);
}

/** Prints a post. Once a delivery has started, also prints each delivery on a line of its own. */
function printPost(post: Post, { gameName }: PrintedNames): void {
  const { id, game, state, asks, held, sendsAt, happenedAt, deliveries } = post;
  const cells = [
    formatLocalTime(happenedAt),
    id,
    gameName(game),
    postExcerpt(post),
    footageText(post),
    withStyle(tones[state], sendsAt === null ? state : `${state}, not sent before ${sendsAt}`),
  ];
  print(cells.join("  "));
  if (state === "held" && held !== null) print(withStyle("dim", `    held back: ${escapeInvisible(say(held))}`));
  if (asks !== null) print(withStyle("yellow", `    needs you: ${escapeInvisible(say(asks))}`));
  if (deliveries.every((delivery) => delivery.state === "waiting" && delivery.says === null))
    print(withStyle("dim", `    for ${escapeInvisible(deliveries.map(({ name }) => name).join(", "))}`));
  else for (const delivery of deliveries) print(`    ${deliveryLine(delivery)}`);
}

function answerWithPost(client: Client, post: Post) {
  return answer(post, async () => printPost(post, await fetchNames(client)));
}

/** Returns the ids of all posts that the command decides on, oldest first. None is approved whose moment was posted already. */
async function idsOfAll(client: Client, decision: Decision, before?: string): Promise<string[]> {
  const { operation, state } = decision;
  const query = { state, limit: postsPageMax, ...(before !== undefined && { before }) };
  const { posts, more } = await client.call(listPosts, { query });
  const older = more ? await idsOfAll(client, decision, posts.at(-1)?.id) : [];
  const chosen = posts.filter((each) => operation !== approvePost || repeatedDeliveries(each).length === 0);
  return [...older, ...chosen.map(({ id }) => id).reverse()];
}

type Decision = {
  readonly operation: typeof approvePost | typeof skipPost | typeof undoPost;
  /** With --all, the command decides on all posts in this state. */
  readonly state: PostState;
  readonly all: string;
};

/**
 * Returns a command that decides on several posts, oldest first. If one fails, it prints the error and goes on with the
 * others.
 */
const decisionCommand = (name: string, summary: string, decision: Decision) =>
  command(name, summary, {
    parameters: [parameter("[ids...]", "posts' ids, from `kit posts`")],
    flags: { all: toggleFlag("--all", decision.all) },
    async run({ client, flags }, given) {
      if (given.length > 0 === (flags.all === true)) throw new InvalidSetting("Give ids of posts, or --all.");
      const ids = flags.all ? await idsOfAll(client, decision) : given;
      const posts: Post[] = [];
      for (const id of ids) {
        try {
          posts.push(await client.call(decision.operation, { params: { id } }));
        } catch (error) {
          if (!(error instanceof KitError)) throw error;
          setExitCode(exitCodes.refused);
          printError(escapeInvisible(`${id}: ${say(error.detail)}`));
        }
      }
      return answer(posts, async () => {
        const names = await fetchNames(client);
        for (const post of posts) printPost(post, names);
        if (ids.length === 0) print(`There is no post to ${name}.`);
      });
    },
  });

const post = parameter("<id>", "a post's id, from `kit posts`");

const contentFlags = {
  text: textFlag("--text <text>", "the text"),
  altText: textFlag("--alt-text <text>", "alternative text that describes its footage"),
  contentWarning: textFlag("--warning <text>", "content warning; empty to remove it"),
  visibility: choiceFlag("--visibility <who>", "who can see it, if the network supports that", visibilities),
};

const create = command("new", "Make a post of a clip or a screenshot: a draft, or with --approve a post that is sent", {
  parameters: [parameter("<clip>", "a clip's id, from `kit clips`")],
  flags: {
    account: textsFlag("--account <accounts...>", "the accounts to post to, by id or name"),
    ...contentFlags,
    trim: parsedFlag("--trim <from-to>", "post only this part of the clip, e.g. 3.5-12 or 0:03-1:02", clipRange),
    approve: toggleFlag("--approve", "approve it too; it is sent after the undo time"),
  },
  async run({ client, config, flags }, clip) {
    const { account, trim, approve, ...content } = flags;
    const all = account === undefined ? [] : await fetchAccounts(client);
    const accounts = account?.map((named) => findAccount(all, named).id);
    const posted = trim === undefined ? clip : (await trimAndWait(client, clip, trim)).id;
    const body = {
      clip: posted,
      language: languageOf(config.locale),
      ...content,
      ...(accounts !== undefined && { accounts }),
      ...(approve !== undefined && { approve }),
    };
    return answer(await client.call(createPost, { body }), async (post) => {
      printPost(post, await fetchNames(client));
      if (post.state === "draft") print(`It waits for your approval: ${kit(`posts approve ${post.id}`)}`);
    });
  },
});

const partOfClip = (given: string) => (given === "all" ? given : clipRange(given));

const edit = command("edit", "Change a draft, or a post that is held back", {
  parameters: [post],
  flags: {
    ...contentFlags,
    attach: choiceFlag("--attach <what>", "the footage to attach", attachments),
    part: parsedFlag("--part <from-to>", "post this part of the clip, e.g. 3.5-12 or 0:03-1:02, or all", partOfClip),
  },
  async run({ client, flags }, id) {
    if (Object.keys(flags).length === 0)
      throw new InvalidSetting("Nothing to change. Use an option such as --text “At last!”.");
    const { part, ...content } = flags;
    const body = { ...content, ...(part !== undefined && { part: part === "all" ? null : part }) };
    return answerWithPost(client, await client.call(changePost, { params: { id }, body }));
  },
});

function findDelivery(deliveries: readonly Delivery[], named: string): Delivery {
  const found = deliveries.filter(({ account, name }) => account === named || name === named);
  const [delivery] = found;
  if (delivery !== undefined && found.length === 1) return delivery;
  const why = found.length === 0 ? "The post has no delivery to" : "Several accounts are named";
  const names = deliveries.map(({ name, account }) => `${name} (${account})`).join(", ");
  throw new InvalidSetting(`${why} ${named}. Use one of ${names}.`);
}

const settle = command("settle", "Decide about a delivery that failed or whose outcome is unknown", {
  parameters: [
    post,
    parameter("<account>", "the account's id or name"),
    parameter("<as>", "sent: it did arrive; again: send it again; dropped: give up", ["sent", "again", "dropped"]),
  ],
  async run({ client }, id, named, as) {
    const { deliveries } = await client.call(getPost, { params: { id } });
    const params = { id, account: findDelivery(deliveries, named).account };
    return answerWithPost(client, await client.call(settleDelivery, { params, body: { as } }));
  },
});

function printSettings({ undoSeconds, expireHours, hourlyMax }: PostSettings): void {
  print(`You can undo an approval for ${undoSeconds} s.`);
  print(`A draft expires after ${expireHours} h without a decision.`);
  print(`Kit creates at most ${hourlyMax} posts an hour.`);
}

const settings = command("settings", "Show or change the settings for all posts", {
  flags: {
    undoSeconds: parsedFlag("--undo <seconds>", "undo time between approving and sending", integerParser(0, 600)),
    expireHours: parsedFlag("--expire <hours>", "hours after which a draft expires", integerParser(1, 720)),
    hourlyMax: parsedFlag("--hourly <n>", "maximum posts per hour", integerParser(1, 60)),
  },
  async run({ client, flags }) {
    const isChange = Object.keys(flags).length > 0;
    const current = isChange
      ? await client.call(changePostSettings, { body: flags })
      : await client.call(getPostSettings);
    return answer(current, printSettings);
  },
});

// `kit posts rules`: lists, adds, changes and removes the rules that turn events into posts.

async function printRules(client: Client, rules: readonly PostRule[]): Promise<void> {
  const names = new Map((await fetchAccounts(client)).map(({ id, name }) => [id, name]));
  const rows = rules.map((rule) => {
    const { id, pattern, accounts, text: post, attach, without } = rule;
    const { approval, cooldownSeconds, enabled, posts, held } = rule;
    const footage = attach === "none" ? "none" : `${attach}, else ${without === "ask" ? "ask" : "without"}`;
    const where = accounts.map((account) => names.get(account) ?? `${account} (removed)`).join(", ");
    const state = enabled ? approval : "off";
    return [id, pattern, where, post, footage, state, `${cooldownSeconds} s`, String(posts), String(held)];
  });
  printTable(["id", "events", "to", "text", "footage", "approval", "cooldown", "posts", "held"], rows);
}

const ruleFlags = {
  account: textsFlag("--account <accounts...>", "the accounts to post to, by id or name"),
  text: textFlag(
    "--text <text>",
    "the text, with the variables {{event}}, {{game}}, {{time}}, {{date}} and {{clipLength}}",
  ),
  attach: choiceFlag("--attach <what>", "the footage to attach", attachments),
  without: choiceFlag("--without <how>", "if there is no footage: ask, or post without it", ["ask", "post"]),
  altText: textFlag("--alt-text <text>", "alternative text that describes the footage"),
  contentWarning: textFlag("--warning <text>", "content warning; empty to remove it"),
  visibility: choiceFlag("--visibility <who>", "who can see the posts, if the network supports that", visibilities),
  approval: choiceFlag("--approval <how>", "ask you before posting, or post automatically", ["ask", "automatic"]),
  cooldownSeconds: parsedFlag(
    "--cooldown <seconds>",
    "minimum seconds between two posts of this rule for the same event",
    integerParser(30, 86_400),
  ),
  on: toggleFlag("--on", "switch the rule on"),
  off: toggleFlag("--off", "switch the rule off"),
};

/** Returns the members of a rule that the flags set. */
async function ruleMembers({ client, flags }: Pick<CommandContext<typeof ruleFlags>, "client" | "flags">) {
  const { account, on, off, ...members } = flags;
  if (on && off) throw new InvalidSetting("Use either --on or --off.");
  const all = account === undefined ? [] : await fetchAccounts(client);
  return {
    ...members,
    ...(account !== undefined && { accounts: account.map((named) => findAccount(all, named).id) }),
    ...((on || off) && { enabled: on === true }),
  };
}

const addRule = command("add", "Add a rule", {
  parameters: [parameter("<pattern>", "an event id; * matches any text")],
  flags: ruleFlags,
  async run({ client, flags }, pattern) {
    const { accounts, ...members } = await ruleMembers({ client, flags });
    if (accounts === undefined)
      throw new InvalidSetting(`Add --account ACCOUNT. \`${kit("accounts")}\` lists all accounts.`);
    const rule = await client.call(addPostRule, { body: { ...members, pattern, accounts } });
    return answer(rule, () => printRules(client, [rule]));
  },
});

const addingRule = () => kit('posts rules add "mygame_*" --account ACCOUNT');
const ruleId = parameter("<id>", "a rule's id, from `kit posts rules`");

const changeRule = command("change", "Change a rule", {
  parameters: [ruleId],
  flags: { ...ruleFlags, pattern: textFlag("--pattern <pattern>", "the new event id or pattern") },
  async run({ client, flags }, id) {
    const body = await ruleMembers({ client, flags });
    if (Object.keys(body).length === 0)
      throw new InvalidSetting("Nothing to change. Use an option such as --approval automatic.");
    const rule = await client.call(changePostRule, { params: { id }, body });
    return answer(rule, () => printRules(client, [rule]));
  },
});

const removeRule = command("remove", "Remove a rule; its posts remain", {
  parameters: [ruleId],
  async run({ client }, id) {
    await client.call(removePostRule, { params: { id } });
    return answer({ removed: id }, "Removed the rule. Its posts remain.");
  },
});

const postRulesCommand = command(
  "rules",
  "List post rules in the order in which they are tried; add, change or remove one",
  {
    subcommands: [addRule, changeRule, removeRule],
    async run({ client }) {
      const { rules } = await client.call(listPostRules);
      return answer(rules, () =>
        rules.length === 0 ? print(`No post rule yet. Add one: ${addingRule()}`) : printRules(client, rules),
      );
    },
  },
);

const firstPost = () =>
  `No posts yet. Add a rule: \`${addingRule()}\`, then \`${kit("fire social mygame_boss_defeated")}\`.`;

export const postsCommand = command(
  "posts",
  "List posts and their deliveries; post a clip; approve, edit or skip posts; manage post rules",
  {
    group: "players",
    subcommands: [
      decisionCommand("approve", "Approve drafts or posts that are held back; they are sent after the undo time", {
        operation: approvePost,
        state: "draft",
        all: "every draft whose moment was not posted already",
      }),
      decisionCommand("skip", "Skip drafts, so that they are not sent", {
        operation: skipPost,
        state: "draft",
        all: "every draft",
      }),
      decisionCommand("undo", "Undo an approval or a skip", {
        operation: undoPost,
        state: "approved",
        all: "every approved post",
      }),
      create,
      edit,
      settle,
      postRulesCommand,
      settings,
    ],
    flags: {
      ...pageFlags("post", postsPageMax),
      state: choiceFlag("--state <state>", "only posts in this state", postStates),
      needs: toggleFlag("--needs", "only posts that need a decision: drafts, failed and uncertain deliveries"),
    },
    async run({ client, flags }) {
      const { posts, more, drafts, held } = await client.call(listPosts, { query: flags });
      return answer(posts, async () => {
        const names = await fetchNames(client);
        if (posts.length === 0) print(isUnfiltered(flags) ? firstPost() : "No matching posts.");
        for (const each of posts) printPost(each, names);
        if (more) print(`… more: ${kit(`posts --before ${posts.at(-1)?.id}`)}`);
        const waiting = `${drafts} ${drafts === 1 ? "draft waits" : "drafts wait"} for your approval`;
        if (drafts > 0) print(`${waiting}. Approve one: ${kit("posts approve ID")}`);
        if (held > 0 && flags.state !== "held")
          print(`${held} ${held === 1 ? "post is" : "posts are"} held back: ${kit("posts --state held")}`);
      });
    },
  },
);
