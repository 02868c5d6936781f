// The language of the dashboard, also of the launcher's errors. English texts are in the code; the catalogue of
// another language is fetched when it is needed.
import {
  type Client,
  type FieldError,
  fieldName,
  KitError,
  type MessageOrText,
  messageFromProblem,
  translate,
} from "@kit/contract";
import i18next from "i18next";
import { initReactI18next, Trans } from "react-i18next";

/** The languages, each under the name that its speakers recognize. */
export const languages = { en: "English", ja: "日本語" } as const;
export type Language = keyof typeof languages;

const storageKey = "kit-language";

type Texts = Readonly<Record<string, string>>;
/**
 * For each other language: translations of the page's texts by their English text, and of the launcher's messages by
 * code.
 */
const catalogues: Record<
  Exclude<Language, "en">,
  () => Promise<{ readonly texts: Texts; readonly messages: Texts }>
> = {
  async ja() {
    const [texts, { japaneseTexts }] = await Promise.all([
      import("./ja.json", { with: { type: "json" } }),
      import("@kit/contract/messages/ja"),
    ]);
    return { texts: texts.default, messages: japaneseTexts };
  },
};

/**
 * The keys of i18next are the English texts, so dots and colons in them are not separators. React already escapes
 * values.
 */
const i18n = i18next.createInstance();
void i18n.use(initReactI18next).init({
  lng: "en",
  resources: {},
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  // Text without a translation is shown in English.
  returnEmptyString: false,
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
});

/** Translates text of the page and fills in `{{name}}` placeholders. */
export const t = i18n.t;
/**
 * Translates text with elements in it. Pass data of a game as an element in `components`: a `<` in `values` would
 * start a tag.
 */
export { Trans };

let writeCommand = (words: string): string => `kit ${words}`;
/** Sets how a reader types a command of Kit, such as `open`. */
export const writeCommandsWith = (write: typeof writeCommand): void => {
  writeCommand = write;
};
/** Completes the commands that a text quotes, such as `kit open`. */
export const withWholeCommands = (text: string): string =>
  text.replace(/`kit ([^`]+)`/gu, (_, words) => `\`${writeCommand(words)}\``);

let messages: Texts = {};
/** Translates a message of the launcher for display. To recognize a message, compare its code, never its text. */
export const translateMessage = (message: MessageOrText): string =>
  typeof message === "string" ? message : withWholeCommands(translate(message, messages));
/** Translates the message of an invalid field. */
export const translateFieldError = (error: FieldError): string =>
  translateMessage(messageFromProblem(error.message, error));

const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(languages, text);

/** Returns the chosen language, or else the first of the browser's languages that Kit supports. */
export function preferredLanguage(chosen: string | null, preferred: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  return preferred.map((tag) => tag.split("-", 1)[0] ?? "").find(isLanguage) ?? "en";
}

export const currentLanguage = (): Language => preferredLanguage(i18n.language, []);

/** The locale for `Intl`. Undefined for English, so that formats follow the browser's region. */
export const locale = (): string | undefined => (currentLanguage() === "en" ? undefined : currentLanguage());

/** Fetches what `t` needs for a language. Rejects if the catalogue cannot be fetched. */
async function loadLanguage(language: Language): Promise<void> {
  if (language !== "en") {
    const loaded = await catalogues[language]();
    messages = loaded.messages;
    i18n.addResourceBundle(language, "translation", { ...messages, ...loaded.texts });
  }
  await i18n.changeLanguage(language);
  document.documentElement.lang = language;
}

/**
 * Loads the user's language. Must be awaited before other modules are imported, because some translate texts as they
 * load.
 */
export const loadChosenLanguage = (): Promise<void> =>
  loadLanguage(preferredLanguage(localStorage.getItem(storageKey), navigator.languages)).catch(() => undefined);

/** Saves the language and reloads the page. The reload keeps the address and the session. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
  location.reload();
}

export function translateError(error: unknown): unknown {
  if (!(error instanceof KitError)) return error;
  const errors = error.errors.map((each) => ({ path: each.path, message: translateFieldError(each) }));
  // For several errors, the launcher's own sentence lists them in English, so their translations are joined here
  // instead.
  const detail =
    errors.length > 1
      ? errors.map(({ path, message }) => `${fieldName(path)}: ${message}`).join("; ")
      : translateMessage(error.detail);
  return new KitError(error.code, detail, errors, { cause: error });
}

const rethrow = (error: unknown): never => {
  throw translateError(error);
};

/** Wraps the API client so that the messages of its errors, and of single fields, are in the page's language. */
export const withTranslatedErrors = (client: Client): Client => ({
  call: (declared, given) => client.call(declared, given).catch(rethrow),
  open: (declared, given, init) => client.open(declared, given, init).catch(rethrow),
});
