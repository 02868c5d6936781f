// Says the launcher's sentences in the reader's language. Without a translation they are English, as the rest of the command line is.

import { type MessageOrText, translate } from "@kit/contract";
import { namedLocale } from "../config.ts";

type Templates = Readonly<Record<string, string>>;

/** Loaded when needed: a launcher that records has no use for them. */
const languages: Readonly<Record<string, () => Promise<Templates>>> = {
  ja: async () => (await import("@kit/contract/messages/ja")).japanese,
};

const reader: { templates: Templates } = { templates: {} };

/** The language of a locale, e.g. `ja` of `ja_JP.UTF-8`; of the system where `locale` is empty. */
export const languageOf = (locale: string): string =>
  (locale || Intl.DateTimeFormat().resolvedOptions().locale).split(/[_.@-]/u, 1)[0] ?? "";

/** Loads the reader's language for `say`. Runs once, before a command. */
export async function loadReaderLanguage(): Promise<void> {
  const load = languages[languageOf(namedLocale())];
  if (load !== undefined) reader.templates = await load();
}

export const say = (message: MessageOrText): string =>
  typeof message === "string" ? message : translate(message, reader.templates);
