// Makes posts of clips that a person chose: proposes one, and creates it. From then on it is a post like any other.

import { randomUUIDv7 } from "node:crypto";
import {
  type Account,
  accountTakes,
  type Clip,
  type ClipMoment,
  fieldError,
  formatCount,
  KitError,
  type MessageOrText,
  type Names,
  type NewClipPost,
  type PostProposal,
  type PostRule,
  type PostSettings,
  payloadInvalid,
  postRuleDefaults,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Serialize } from "../../async.ts";
import type { Say } from "../../reader-language.ts";
import type { Statement } from "../../storage/sql.ts";
import { postRuleFor, sortPostRules } from "../rules/rules.ts";
import { fillTemplate, templateValues, usesVariable } from "../rules/template.ts";
import type { NetworkTextRules } from "../text-fit.ts";
import { draftsMax, newDeliveries } from "./drafting.ts";
import { type EventFootage, type FootageOwner, footageOfPost } from "./post-footage.ts";
import { insertPost, type PostStore } from "./post-store.ts";
import { postProblems } from "./problems.ts";

/** Loads the words of a language; without one, those of the system's language. */
export type SayIn = (language: string | undefined) => Promise<Say>;

const anHourMs = 3_600_000;

export type ClipPostsDeps = {
  readonly store: Pick<PostStore, "countDrafts" | "accountsOfNewest">;
  /** Throws KitError if there is no such clip. */
  readonly clipOf: (id: string) => Promise<Clip>;
  readonly footageOf: (post: FootageOwner) => Promise<EventFootage>;
  readonly rules: () => Promise<readonly PostRule[]>;
  readonly settings: () => Promise<PostSettings>;
  readonly accounts: () => Promise<readonly Account[]>;
  readonly textRules: NetworkTextRules;
  readonly names: Names;
  readonly sayIn: SayIn;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly now: () => number;
  /** Called after a post was created. */
  readonly onChanged: () => void;
};

export type ClipPosts = ReturnType<typeof createClipPosts>;

/** The words of a post, as templates that contain the clip's length where it is not known yet. */
type Templates = Pick<PostRule, "text" | "altText">;

/** The words for a clip that belongs to no game. */
const withoutGame: Templates = { text: "{{event}}", altText: "A clip: {{event}}" };

function refuse(path: string, problem: MessageOrText): never {
  throw payloadInvalid(problem, fieldError(path, problem));
}

/** The moment that a post of the clip is about: a social trigger before others, and an error report only if there is nothing else. */
const mainMoment = ({ events }: Clip): ClipMoment | undefined =>
  events.find(({ kind }) => kind === "social") ?? events.find(({ kind }) => kind === "recording") ?? events[0];

function fillFor(clip: Clip, title: string, { text, altText }: Templates, names: Names) {
  const moment = mainMoment(clip);
  const ofTemplate = templateValues(
    {
      eventId: moment?.eventId ?? null,
      title,
      game: clip.game,
      atMs: Date.parse(moment?.at ?? clip.startedAt),
      clipSeconds: clip.kind === "clip" && clip.state === "saved" ? clip.duration : null,
    },
    names,
  );
  // Words of Kit need no protection from what a game could write.
  const values = typeof clip.titleMessage === "object" ? { ...ofTemplate, event: title } : ofTemplate;
  return { text: fillTemplate(text, values), altText: fillTemplate(altText, values) };
}

export function createClipPosts(needs: ClipPostsDeps) {
  const { store, clipOf, footageOf, accounts, textRules, names, write, serialize, now } = needs;

  /** Returns the clip with its footage. Throws KitError if it cannot be posted. */
  const usableClip = async (id: string) => {
    const clip = await clipOf(id).catch((error: unknown) => {
      if (error instanceof KitError && error.code === "not_found") refuse("/clip", message("post.clip_unknown"));
      throw error;
    });
    const footage = await footageOf({ event: null, fromClip: id });
    if (footage.state === "none") refuse("/clip", message("post.clip_without_footage", { reason: footage.reason }));
    return { clip, footage };
  };
  const ruleFor = async ({ events }: Clip): Promise<PostRule | undefined> => {
    const rules = sortPostRules(await needs.rules()).filter(({ enabled }) => enabled);
    const ids = events.flatMap(({ kind, eventId }) => (kind === "monitor" || eventId === null ? [] : [eventId]));
    return ids.map((id) => postRuleFor(rules, id)).find((rule) => rule !== undefined);
  };
  const accountsFor = async (
    { game }: Clip,
    rule: PostRule | undefined,
    all: readonly Account[],
  ): Promise<string[]> => {
    const enabled = all.filter((account) => account.enabled && accountTakes(account, game)).map(({ id }) => id);
    const usable = (ids: readonly string[]) => enabled.filter((id) => ids.includes(id));
    const ofRule = usable(rule?.accounts ?? []);
    if (ofRule.length > 0) return ofRule;
    const ofNewest = usable(await store.accountsOfNewest());
    if (ofNewest.length > 0) return ofNewest;
    return enabled.length === 1 ? enabled : [];
  };
  const templatesAndProposal = async (clip: Clip, all: readonly Account[], language: string | undefined) => {
    const say = await needs.sayIn(language);
    const title = say(clip.titleMessage ?? clip.title);
    const rule = await ruleFor(clip);
    const templates: Templates = rule ?? (clip.game === null ? withoutGame : postRuleDefaults);
    const { contentWarning, visibility } = rule ?? postRuleDefaults;
    const proposal: PostProposal = {
      title,
      ...fillFor(clip, title, templates, names),
      contentWarning,
      visibility,
      attach: clip.kind === "screenshot" ? "screenshot" : "clip",
      accounts: await accountsFor(clip, rule, all),
    };
    return { templates, proposal };
  };
  const chosenAccounts = ({ game }: Clip, ids: readonly string[], all: readonly Account[]): Account[] => {
    if (ids.length === 0) refuse("/accounts", message("post.no_account_chosen"));
    return ids.map((id) => {
      const account = all.find((one) => one.id === id);
      if (account === undefined) refuse("/accounts", message("post.unknown_account", { account: id.slice(0, 64) }));
      if (!account.enabled) refuse("/accounts", message("post.account_is_off", { account: account.name }));
      if (!accountTakes(account, game)) refuse("/accounts", message("post.account_of_demo", { account: account.name }));
      return account;
    });
  };
  const create = async ({ clip: clipId, approve = false, language, ...given }: NewClipPost): Promise<string> => {
    const { clip, footage: found } = await usableClip(clipId);
    const all = await accounts();
    const { templates, proposal } = await templatesAndProposal(clip, all, language);
    const targets = chosenAccounts(clip, given.accounts ?? proposal.accounts, all);
    if ((await store.countDrafts()) >= draftsMax)
      throw payloadInvalid(message("post.too_many_drafts", { count: formatCount(draftsMax) }));
    const { attach } = proposal;
    const text = (given.text ?? proposal.text).toWellFormed();
    const altText = (given.altText ?? proposal.altText).toWellFormed();
    const contentWarning = (given.contentWarning ?? proposal.contentWarning).toWellFormed();
    const footage = footageOfPost(attach, found);
    const words = { text, contentWarning, attach, without: "ask", footage } as const;
    const [problem] = postProblems(words, targets, textRules);
    if (approve && problem !== undefined) throw payloadInvalid(problem.says, fieldError(problem.path, problem.says));
    const { undoSeconds, expireHours } = await needs.settings();
    const nowMs = now();
    // The length of a clip that is still being made is filled in later, unless a person wrote the text.
    const later = (template: string, own: string | undefined) =>
      own === undefined && footage.state === "pending" && usesVariable(template, "clipLength") ? template : null;
    const id = randomUUIDv7();
    const moment = mainMoment(clip);
    await write(
      ...insertPost({
        id,
        event: null,
        eventSeq: null,
        eventId: moment?.eventId ?? null,
        fromClip: clip.id,
        title: proposal.title,
        game: clip.game,
        rule: null,
        state: approve ? "approved" : "draft",
        ...words,
        altText,
        textLater: later(templates.text, given.text),
        altLater: later(templates.altText, given.altText),
        visibility: given.visibility ?? proposal.visibility,
        asks: problem?.says ?? null,
        held: null,
        automatic: false,
        happenedMs: Date.parse(moment?.at ?? clip.startedAt),
        createdMs: nowMs,
        expiresMs: approve ? null : nowMs + expireHours * anHourMs,
        sendsMs: approve ? nowMs + undoSeconds * 1_000 : null,
        deliveries: newDeliveries(targets),
        moments: [clip.id, ...clip.events.map((event) => event.id)],
      }),
    );
    needs.onChanged();
    return id;
  };

  return {
    async propose(clipId: string, language?: string): Promise<PostProposal> {
      const { clip } = await usableClip(clipId);
      return (await templatesAndProposal(clip, await accounts(), language)).proposal;
    },
    /** Returns the id of the new post. */
    create: (body: NewClipPost) => serialize(() => create(body)),
  };
}
