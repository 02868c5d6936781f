// The page's language and colours, as this browser keeps them.
import { useEffect } from "react";
import { type Appearance, useAppearance } from "../frame/appearance.ts";
import { choose, type Language, languageShown, languages, t } from "../language/language.ts";
import { Choice, FieldRow } from "../recorder/fields.tsx";
import { Part } from "./part.tsx";

const languageField = "settings-language";
/** Over the load in another language, in this tab. */
const chosenKey = "kit-language-chosen";

const languageChoices = Object.entries(languages).map(([value, says]) => ({ value: value as Language, says }));

const appearanceChoices = (): { value: Appearance; says: string }[] => [
  { value: "system", says: t("As the system") },
  { value: "light", says: t("Light") },
  { value: "dark", says: t("Dark") },
];

function chooseAndStay(language: Language): void {
  sessionStorage.setItem(chosenKey, language);
  choose(language);
}

/** Another language loads the page anew: who chose it goes on where they were. */
function useFocusKept(): void {
  useEffect(() => {
    if (sessionStorage.getItem(chosenKey) === null) return;
    sessionStorage.removeItem(chosenKey);
    document.getElementById(languageField)?.focus();
  }, []);
}

export function LookPart() {
  const [{ choice }, chooseAppearance] = useAppearance();
  useFocusKept();
  return (
    <Part name="look">
      <div className="setting">
        <label htmlFor={languageField}>{t("Language")}</label>
        <div className="setting-value">
          <Choice id={languageField} choices={languageChoices} value={languageShown()} onChange={chooseAndStay} />
        </div>
      </div>
      <FieldRow label={t("Colours")}>
        {({ field }) => <Choice id={field} choices={appearanceChoices()} value={choice} onChange={chooseAppearance} />}
      </FieldRow>
    </Part>
  );
}
