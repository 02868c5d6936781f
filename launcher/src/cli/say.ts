// Says the launcher's sentences in the reader's language. Without a translation they are English, as the rest of the command line is.
import { type MessageOrText, translate } from "@kit/contract";

type Templates = Readonly<Record<string, string>>;

/** Loaded when needed: a launcher that records has no use for them. */
const languages: Readonly<Record<string, () => Promise<{ readonly default: Templates }>>> = {
  ja: () => import("@kit/contract/messages/ja.json", { with: { type: "json" } }),
};

const reader: { templates: Templates } = { templates: {} };

/** The language of the environment, e.g. `ja` for `ja_JP.UTF-8`; of the system where the environment names none. */
export function readerLanguage(env: NodeJS.ProcessEnv): string {
  const named = env.LC_ALL || env.LC_MESSAGES || env.LANG || Intl.DateTimeFormat().resolvedOptions().locale;
  return named.split(/[_.@-]/u, 1)[0] ?? "";
}

/** Loads the reader's language for `say`. Runs once, before a command. */
export async function loadReaderLanguage(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const load = languages[readerLanguage(env)];
  if (load !== undefined) reader.templates = (await load()).default;
}

export const say = (message: MessageOrText): string =>
  typeof message === "string" ? message : translate(message, reader.templates);
