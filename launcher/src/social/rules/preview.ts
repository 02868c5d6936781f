// What a text would be on each network, counted as that network counts. Keeps and sends nothing.
import {
  type Account,
  altTextCharsMax,
  type BodyOf,
  KitError,
  networks,
  type PostPreview,
  postTextCharsMax,
  type previewPost,
} from "@kit/contract";
import { type Counting, measured, type Target, titleOf, tooLong } from "../fit.ts";
import { checkTemplate, filled } from "./template.ts";
import { valuesOf, type WordsOf } from "./values.ts";

export type PreviewNeeds = {
  readonly accounts: () => Promise<readonly Account[]>;
  readonly counting: Counting;
  readonly gameOf: (eventId: string) => string | null;
  readonly wordsOf: WordsOf;
  readonly now: () => number;
};

type Asked = BodyOf<typeof previewPost>;
type Shown = Target & { readonly account: string | null };

/** For who has no event yet. */
const exampleGame = "my_game";
const exampleEvent = `${exampleGame}_boss_defeated`;
const exampleClipSeconds = 17;

export function createPreview({ accounts, counting, gameOf, wordsOf, now }: PreviewNeeds) {
  const shownOf = ({ id, network, name, limits }: Account): Shown => ({ account: id, network, name, limits });
  /** Those that were named; without any, one of each network, connected or not. */
  const targets = async (wanted: readonly string[] | undefined): Promise<Shown[]> => {
    const all = await accounts();
    if (wanted === undefined)
      return networks.map((network) => {
        const first = all.find((account) => account.network === network);
        if (first !== undefined) return shownOf(first);
        return { account: null, network, name: titleOf(network), limits: counting[network].limits };
      });
    return wanted.map((id) => {
      const account = all.find((one) => one.id === id);
      if (account === undefined) throw new KitError("not_found", "There is no such account.");
      return shownOf(account);
    });
  };
  const filling = (text: string, path: string, { eventId, filled: isFilled = false }: Asked): string => {
    if (isFilled) return text;
    checkTemplate(text, path);
    const event = eventId || exampleEvent;
    const game = eventId ? gameOf(eventId) : exampleGame;
    const told = { eventId: event, game, atMs: now(), clipSeconds: exampleClipSeconds };
    return filled(text, valuesOf(told, wordsOf));
  };

  return async (asked: Asked): Promise<PostPreview[]> => {
    const text = filling(asked.text.toWellFormed(), "/text", asked);
    const altText = filling((asked.altText ?? "").toWellFormed(), "/altText", asked);
    const contentWarning = (asked.contentWarning ?? "").toWellFormed();
    const always = text.length > postTextCharsMax ? [`The text is longer than ${postTextCharsMax} characters.`] : [];
    if (altText.length > altTextCharsMax) always.push(`The description is longer than ${altTextCharsMax} characters.`);
    return (await targets(asked.accounts)).map((target) => {
      const { composed, length } = measured(counting, target.network, { text, contentWarning });
      const problem = tooLong(counting, target, { text, contentWarning });
      return { ...target, text: composed, length, problems: problem === undefined ? always : [...always, problem] };
    });
  };
}
