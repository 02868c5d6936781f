// The launcher's messages in the language of whoever reads them: that of the system, or one that a request names.
import { type MessageOrText, translate } from "@kit/contract";

/** Returns a message in one language. */
export type Say = (message: MessageOrText) => string;

type Templates = Readonly<Record<string, string>>;

/** Loads the translations of each language. Called only for a reader's language. */
const languages: Readonly<Record<string, () => Promise<Templates>>> = {
  ja: async () => (await import("@kit/contract/messages/ja")).japaneseTexts,
};

/** Returns the language of a locale, such as `ja` for `ja_JP.UTF-8`. If `locale` is empty, returns the system's language. */
export const languageOf = (locale: string): string => (locale || navigator.language).split(/[_.@-]/u, 1)[0] ?? "";

/** A message without a translation is in English. */
export async function sayIn(language: string): Promise<Say> {
  const load = Object.hasOwn(languages, language) ? languages[language] : undefined;
  const templates = (await load?.()) ?? {};
  return (message) => (typeof message === "string" ? message : translate(message, templates));
}
