// Translates the launcher's messages into the reader's language. The rest of the command line is in English, as is a message
// without a translation.

import { type MessageOrText, translate } from "@kit/contract";
import { namedLocale } from "../config.ts";

type Templates = Readonly<Record<string, string>>;

/** Loads the translations of each language. Called only for the reader's language. */
const languages: Readonly<Record<string, () => Promise<Templates>>> = {
  ja: async () => (await import("@kit/contract/messages/ja")).japaneseTexts,
};

const reader: { templates: Templates } = { templates: {} };

/** Returns the language of a locale, such as `ja` for `ja_JP.UTF-8`. If `locale` is empty, returns the system's language. */
export const languageOf = (locale: string): string =>
  (locale || Intl.DateTimeFormat().resolvedOptions().locale).split(/[_.@-]/u, 1)[0] ?? "";

/** Loads the reader's language for `say`. To be called once, before the command runs. */
export async function loadReaderLanguage(): Promise<void> {
  const load = languages[languageOf(namedLocale())];
  if (load !== undefined) reader.templates = await load();
}

export const say = (message: MessageOrText): string =>
  typeof message === "string" ? message : translate(message, reader.templates);
