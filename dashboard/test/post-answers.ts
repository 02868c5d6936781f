// Answers the page's requests about posts, accounts and rules in place of the launcher, so that a test decides what exists.
import {
  type Account,
  type AccountTest,
  type Post,
  type PostProposal,
  type PostRule,
  type PostSettings,
  postRuleDefaults,
  postSettingDefaults,
} from "@kit/contract";
import type { Page, Route } from "playwright-core";
import { accountOf, postIdOf } from "./post-samples.ts";

/** The answers to the page, and the changes that it requested. A test may change all of it at any time. */
export type PostAnswers = {
  posts: Post[];
  accounts: Account[];
  rules: PostRule[];
  settings: PostSettings;
  test: AccountTest;
  /** The signing secret in the answer to a new webhook. */
  secret: string | null;
  /** The launcher's problems with a text, beyond the limit of the network. */
  problem: (text: string) => string[];
  /** Changes are answered only after this is resolved. */
  held: Promise<void> | undefined;
  /** The requests for changes, in order, as `PUT /api/posts/1 {"text":"x"}`. */
  readonly changes: string[];
  /** Refuses the next change with this sentence. */
  refuseWith: string | undefined;
};

export const postAnswersWith = (given: Partial<PostAnswers> = {}): PostAnswers => ({
  posts: [],
  accounts: [accountOf("discord"), accountOf("bluesky"), accountOf("mastodon")],
  rules: [],
  settings: { ...postSettingDefaults },
  test: { ok: true, says: "The network would accept a post now.", checked: [] },
  secret: null,
  problem: () => [],
  held: undefined,
  changes: [],
  refuseWith: undefined,
  ...given,
});

const problem = (status: number, code: string, detail: string) => ({
  status,
  contentType: "application/problem+json",
  body: JSON.stringify({ type: `urn:kit:problem:${code}`, title: detail, status, detail, errors: [] }),
});

const needsDecision = ({ state }: Post) => state === "draft" || state === "unsure" || state === "failed";

function postPage({ posts }: PostAnswers, query: URLSearchParams) {
  const before = query.get("before");
  const limit = Number(query.get("limit") ?? 50);
  const wanted = posts.filter(
    (post) =>
      (query.get("state") ?? post.state) === post.state &&
      (query.get("game") ?? post.game ?? "unsorted") === (post.game ?? "unsorted") &&
      (query.get("needs") !== "true" || needsDecision(post)),
  );
  const from = before === null ? 0 : wanted.findIndex(({ id }) => id === before) + 1;
  return {
    posts: wanted.slice(from, from + limit),
    more: wanted.length > from + limit,
    drafts: posts.filter(({ state }) => state === "draft").length,
    held: posts.filter(({ state }) => state === "held").length,
  };
}

/** The fields that a decision changes, as in the launcher. */
function fieldsAfter(part: string, { settings }: PostAnswers): Partial<Post> {
  if (part === "skip") return { state: "skipped", expiresAt: null };
  if (part === "undo") return { state: "draft", sendsAt: null };
  const sendsAt = new Date(Date.now() + settings.undoSeconds * 1_000).toISOString();
  return { state: "approved", sendsAt, expiresAt: null, asks: null };
}

const stateAfter = { sent: "sent", again: "waiting", dropped: "dropped" } as const;

async function answerPost(route: Route, answers: PostAnswers, path: readonly string[]): Promise<void> {
  const [id = "", part, account] = path;
  const post = answers.posts.find((known) => known.id === id);
  if (post === undefined) return await route.fulfill(problem(404, "not_found", "There is no such post."));
  const change = (members: Partial<Post>) => {
    answers.posts = answers.posts.map((each) => (each.id === id ? { ...each, ...members } : each));
    return { ...post, ...members };
  };
  if (route.request().method() === "GET") return await route.fulfill({ json: post });
  if (route.request().method() === "PUT") {
    const { part: chosen, ...members } = route.request().postDataJSON();
    const footage = chosen === undefined ? post.footage : { ...post.footage, part: chosen };
    return await route.fulfill({ json: change({ ...members, footage }) });
  }
  if (part !== "deliveries") return await route.fulfill({ json: change(fieldsAfter(part ?? "", answers)) });
  const { as } = route.request().postDataJSON() as { as: keyof typeof stateAfter };
  const settled = (each: Post["deliveries"][number]) =>
    each.account === account ? { ...each, state: stateAfter[as], says: null } : each;
  const state = as === "again" ? "sending" : "sent";
  return await route.fulfill({ json: change({ state, deliveries: post.deliveries.map(settled) }) });
}

async function answerAccounts(route: Route, answers: PostAnswers, [id, part]: readonly string[]): Promise<void> {
  const method = route.request().method();
  if (part === "test") return await route.fulfill({ json: answers.test });
  if (method === "POST") {
    const { network } = route.request().postDataJSON();
    const account = accountOf(network, { lastSentAt: null, sent: 0 });
    answers.accounts = [...answers.accounts, account];
    return await route.fulfill({ status: 201, json: { account, secret: answers.secret } });
  }
  if (method === "PUT") {
    const { fields: _fields, ...members } = route.request().postDataJSON();
    const change = (each: Account) =>
      each.id === id ? { ...each, ...members, ...(members.enabled && { stopped: null }) } : each;
    answers.accounts = answers.accounts.map(change);
    return await route.fulfill({ json: answers.accounts.find((each) => each.id === id) });
  }
  if (method === "DELETE") {
    answers.accounts = answers.accounts.filter((each) => each.id !== id);
    return await route.fulfill({ status: 204 });
  }
  return await route.fulfill({ json: { accounts: answers.accounts } });
}

function previewsOf({ accounts, problem: problemsOf }: PostAnswers, body: Record<string, unknown>) {
  const text = String(body.text).replaceAll("{{event}}", "boss defeated").replaceAll("{{game}}", "my game");
  const wanted = (body.accounts as string[] | undefined) ?? accounts.map(({ id }) => id);
  const previews = accounts
    .filter(({ id }) => wanted.includes(id))
    .map(({ id, network, name, limits }) => {
      const length = [...text].length;
      const over = length > limits.textMax ? [`It is ${length - limits.textMax} over the limit: shorten it.`] : [];
      return { account: id, network, name, text, length, limits, problems: [...over, ...problemsOf(text)] };
    });
  return { previews };
}

async function answerRules(route: Route, answers: PostAnswers, [id]: readonly string[]): Promise<void> {
  const method = route.request().method();
  if (id === "preview") return await route.fulfill({ json: previewsOf(answers, route.request().postDataJSON()) });
  if (method === "GET") return await route.fulfill({ json: { rules: answers.rules } });
  if (method === "DELETE") {
    answers.rules = answers.rules.filter((rule) => rule.id !== id);
    return await route.fulfill({ status: 204 });
  }
  const body = route.request().postDataJSON();
  if (method === "POST") {
    const made = { id: postIdOf(answers.changes.length), createdAt: new Date().toISOString(), posts: 0, held: 0 };
    answers.rules = [...answers.rules, { ...postRuleDefaults, ...made, lastPostAt: null, ...body }];
    return await route.fulfill({ status: 201, json: answers.rules.at(-1) });
  }
  answers.rules = answers.rules.map((rule) => (rule.id === id ? { ...rule, ...body } : rule));
  return await route.fulfill({ json: answers.rules.find((rule) => rule.id === id) });
}

async function answerSettings(route: Route, answers: PostAnswers): Promise<void> {
  if (route.request().method() === "PUT") Object.assign(answers.settings, route.request().postDataJSON());
  return await route.fulfill({ json: answers.settings });
}

const proposalOf = ({ accounts }: PostAnswers): PostProposal => ({
  title: "Boss defeated",
  text: "Boss defeated in my game",
  altText: "Footage of my game",
  contentWarning: "",
  visibility: "public",
  attach: "clip",
  accounts: accounts.slice(0, 2).map(({ id }) => id),
});

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180" />';

/** Answers the requests of all pages in the browser context, from the current content of `answers`. */
export async function answerPostsFor(page: Page, answers: PostAnswers): Promise<void> {
  await page
    .context()
    .route(/\/api\/(?:posts|post-proposals|post-rules|post-settings|accounts)(?:[/?]|$)/u, async (route) => {
      const request = route.request();
      const { pathname, searchParams } = new URL(request.url());
      const [, , of, ...path] = pathname.split("/");
      if (request.method() !== "GET" && path[0] !== "preview") {
        answers.changes.push(`${request.method()} ${pathname} ${request.postData() ?? ""}`.trim());
        await answers.held;
        const refusal = answers.refuseWith;
        answers.refuseWith = undefined;
        if (refusal !== undefined) return await route.fulfill(problem(422, "payload_invalid", refusal));
      }
      if (of === "post-proposals") return await route.fulfill({ json: proposalOf(answers) });
      if (of === "post-settings") return await answerSettings(route, answers);
      if (of === "post-rules") return await answerRules(route, answers, path);
      if (of === "accounts") return await answerAccounts(route, answers, path);
      if (path[1] === "picture") return await route.fulfill({ contentType: "image/svg+xml", body: picture });
      if (path.length === 0) return await route.fulfill({ json: postPage(answers, searchParams) });
      return await answerPost(route, answers, path);
    });
}
