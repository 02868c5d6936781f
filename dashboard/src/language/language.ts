// The page's language. English stands in the code; the others are catalogues, fetched when they are chosen.
import i18next from "i18next";
import { initReactI18next, Trans } from "react-i18next";
import { createMessageTranslator } from "./translate-message.ts";

/** Each in its own words, for who does not read the one that is shown. */
export const languages = { en: "English", ja: "日本語" } as const;
export type Language = keyof typeof languages;

const storageKey = "kit-language";

type Catalogue = { readonly default: Record<string, string> };
/** The page's own texts, and the launcher's sentences. */
const catalogues: Record<Exclude<Language, "en">, () => Promise<readonly [Catalogue, Catalogue]>> = {
  ja: () =>
    Promise.all([
      import("./ja.json", { with: { type: "json" } }),
      import("./launcher.ja.json", { with: { type: "json" } }),
    ]),
};

/** A key is the English text itself: dots and colons in it are no paths. What React draws it escapes by itself. */
const words = i18next.createInstance();
void words.use(initReactI18next).init({
  lng: "en",
  resources: {},
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  // What is not translated yet is shown in English.
  returnEmptyString: false,
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
});

/** The text in the page's language; of `{{name}}` in it the value of that name. */
export const t = words.t;
/** A sentence with elements in it. What a game sent goes in as an element of `components`: of `values` a `<` would begin a tag. */
export { Trans };

let translate = (text: string): string => text;
/** A sentence of the launcher's in the page's language. It is sent in English; what is compared is compared as it was sent. */
export const translateMessage = (text: string): string => translate(text);

const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(languages, text);

/** What a person chose, else the first of their browser's that there is. */
export function languageOf(chosen: string | null, preferred: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  return preferred.map((tag) => tag.split("-", 1)[0] ?? "").find(isLanguage) ?? "en";
}

export const languageShown = (): Language => languageOf(words.language, []);

/** For Intl: the page's language, with the region's habits of who has chosen none. */
export const locale = (): string | undefined => (languageShown() === "en" ? undefined : languageShown());

/** Has `t` speak that language from then on. Rejects when its catalogue cannot be fetched. */
async function speak(language: Language): Promise<void> {
  if (language !== "en") {
    const [texts, sentences] = await catalogues[language]();
    words.addResourceBundle(language, "translation", texts.default);
    translate = createMessageTranslator(sentences.default);
  }
  await words.changeLanguage(language);
  document.documentElement.lang = language;
}

/** The language a person has here. Before anything that has words is loaded: tables of words ask `t` once, at their load. */
export const speakChosen = (): Promise<void> =>
  speak(languageOf(localStorage.getItem(storageKey), navigator.languages)).catch(() => undefined);

/** Loads the page anew in that language; its address keeps the place, and this tab its session. */
export function choose(language: Language): void {
  localStorage.setItem(storageKey, language);
  location.reload();
}
