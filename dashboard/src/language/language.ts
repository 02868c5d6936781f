// The page's language. English texts are in the code; catalogues for other languages are fetched when needed.
import { type FieldError, type MessageOrText, messageOf, translate } from "@kit/contract";
import i18next from "i18next";
import { initReactI18next, Trans } from "react-i18next";

/** Each language in its own name, so that its speakers recognize it. */
export const languages = { en: "English", ja: "日本語" } as const;
export type Language = keyof typeof languages;

const storageKey = "kit-language";

type Texts = Readonly<Record<string, string>>;
/** The texts of the page by their English text, and the launcher's messages by code. */
const catalogues: Record<
  Exclude<Language, "en">,
  () => Promise<{ readonly texts: Texts; readonly messages: Texts }>
> = {
  async ja() {
    const [texts, { japanese }] = await Promise.all([
      import("./ja.json", { with: { type: "json" } }),
      import("@kit/contract/messages/ja"),
    ]);
    return { texts: texts.default, messages: japanese };
  },
};

/** Keys are English texts, so dots and colons in them are not separators. React escapes values by itself. */
const i18n = i18next.createInstance();
void i18n.use(initReactI18next).init({
  lng: "en",
  resources: {},
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  // Missing translations are shown in English.
  returnEmptyString: false,
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
});

/** Translates a text of the page and fills in `{{name}}` placeholders. */
export const t = i18n.t;
/**
 * Translates a text with elements in it. Pass game data as an element in `components`: a `<` in `values` would start a
 * tag.
 */
export { Trans };

let messages: Texts = {};
/** Translates a message of the launcher for display. Other code compares codes, never texts. */
export const translateMessage = (message: MessageOrText): string =>
  typeof message === "string" ? message : translate(message, messages);
/** Translates the error of a field, which says what was expected. */
export const translateFieldError = (error: FieldError): string => translateMessage(messageOf(error.message, error));

const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(languages, text);

/** The chosen language, otherwise the first supported one of the browser. */
export function preferredLanguage(chosen: string | null, preferred: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  return preferred.map((tag) => tag.split("-", 1)[0] ?? "").find(isLanguage) ?? "en";
}

export const currentLanguage = (): Language => preferredLanguage(i18n.language, []);

/** The locale for `Intl`. Undefined for English, which follows the browser's region. */
export const locale = (): string | undefined => (currentLanguage() === "en" ? undefined : currentLanguage());

/** Loads a language for `t`. Rejects if its catalogue cannot be fetched. */
async function loadLanguage(language: Language): Promise<void> {
  if (language !== "en") {
    const loaded = await catalogues[language]();
    messages = loaded.messages;
    i18n.addResourceBundle(language, "translation", { ...messages, ...loaded.texts });
  }
  await i18n.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Loads the user's language. Must run before modules that translate their texts when they load. */
export const loadChosenLanguage = (): Promise<void> =>
  loadLanguage(preferredLanguage(localStorage.getItem(storageKey), navigator.languages)).catch(() => undefined);

/** Saves the language and reloads the page; the address and the session are kept. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
  location.reload();
}
