// Shows what a template becomes on each network, and its length as that network counts. Stores and sends nothing.

import {
  type Account,
  altTextCharsMax,
  type BodyOf,
  KitError,
  type Message,
  type Names,
  networks,
  type PostPreview,
  postTextCharsMax,
  type previewPost,
  textOf,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { measureText, type NetworkTextRules, networkTitle, type TextTarget, tooLongMessage } from "../text-fit.ts";
import { checkTemplate, fillTemplate, templateValues } from "./template.ts";

export type PostPreviewDeps = {
  readonly accounts: () => Promise<readonly Account[]>;
  readonly textRules: NetworkTextRules;
  readonly gameOf: (eventId: string) => string | null;
  readonly names: Names;
  readonly now: () => number;
};

type PreviewRequest = BodyOf<typeof previewPost>;
type PreviewTarget = TextTarget & { readonly account: string | null };

/** Stands for the game in the example for a rule whose game has sent no event yet. */
const exampleGame = "my_game";
const exampleEvent = `${exampleGame}_boss_defeated`;
const exampleClipSeconds = 17;

export function createPostPreview({ accounts, textRules, gameOf, names, now }: PostPreviewDeps) {
  const shownOf = ({ id, network, name, limits }: Account): PreviewTarget => ({ account: id, network, name, limits });
  /** Returns the chosen accounts. Without a choice: for each network its first account, or its defaults if it has none. */
  const targets = async (wanted: readonly string[] | undefined): Promise<PreviewTarget[]> => {
    const all = await accounts();
    if (wanted === undefined)
      return networks.map((network) => {
        const first = all.find((account) => account.network === network);
        if (first !== undefined) return shownOf(first);
        return { account: null, network, name: textOf(networkTitle(network)), limits: textRules[network].limits };
      });
    return wanted.map((id) => {
      const account = all.find((one) => one.id === id);
      if (account === undefined) throw new KitError("not_found", message("account.unknown"));
      return shownOf(account);
    });
  };
  const fillIn = (text: string, path: string, { eventId, filled: isFilled = false }: PreviewRequest): string => {
    if (isFilled) return text;
    checkTemplate(text, path);
    const event = eventId || exampleEvent;
    const game = eventId ? gameOf(eventId) : exampleGame;
    const told = { eventId: event, title: null, game, atMs: now(), clipSeconds: exampleClipSeconds };
    return fillTemplate(text, templateValues(told, names));
  };

  return async (asked: PreviewRequest): Promise<PostPreview[]> => {
    const text = fillIn(asked.text.toWellFormed(), "/text", asked);
    const altText = fillIn((asked.altText ?? "").toWellFormed(), "/altText", asked);
    const contentWarning = (asked.contentWarning ?? "").toWellFormed();
    const always: Message[] = [];
    if (text.length > postTextCharsMax) always.push(message("post.long_text", { most: postTextCharsMax }));
    if (altText.length > altTextCharsMax) always.push(message("post.long_description", { most: altTextCharsMax }));
    return (await targets(asked.accounts)).map((target) => {
      const { composed, length } = measureText(textRules, target.network, { text, contentWarning });
      const problem = tooLongMessage(textRules, target, { text, contentWarning });
      return { ...target, text: composed, length, problems: problem === undefined ? always : [...always, problem] };
    });
  };
}
