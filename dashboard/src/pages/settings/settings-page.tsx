// The Settings page: everything that is set once, in one column, with a table of contents where there is room.
import "../../ui/list-page.css";
import "../../ui/details.css";
import "../../ui/clips/clips.css";
import "../../ui/recorder/recorder.css";
import "./settings.css";
import { Button } from "@radix-ui/themes";
import { useEffect, useMemo } from "react";
import { useChanges } from "../../api/use-changes.ts";
import { useGames } from "../../api/use-games.ts";
import { useHealth } from "../../api/use-health.ts";
import { useRecorder, useTestRecording } from "../../api/use-recorder.ts";
import { useUsage } from "../../api/use-storage.ts";
import { choose, type Language, languageShown, languages, t, translateMessage } from "../../language/language.ts";
import { recorderAddress, storageAddress, useFragment } from "../../ui/address.ts";
import { NoticeSettingsSection } from "../../ui/alerts/alert-settings.tsx";
import { type Appearance, useAppearance } from "../../ui/appearance.ts";
import { testWords } from "../../ui/clips/clip-words.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Choice, FieldRow } from "../../ui/fields.tsx";
import { Icon } from "../../ui/icon.tsx";
import { sizeOf } from "../../ui/measures.ts";
import { SettingsSection } from "../../ui/recorder/recorder-settings.tsx";
import { recorderWord } from "../../ui/recorder/recorder-words.ts";
import { TestResult } from "../../ui/recorder/test-recording.tsx";
import { Fact } from "../../ui/section.tsx";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { sumOf } from "../../ui/storage-parts.ts";
import { visibleText } from "../../ui/visible-text.ts";
import { partAddress, partId, partIn, partNames, partTitle } from "./contents.ts";
import { OriginsPart } from "./origins-part.tsx";
import { Part } from "./part.tsx";
import { AccountsPart, ForwardingPart } from "./sending-parts.tsx";
import { StartPart } from "./start-part.tsx";

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

/** The page's language and colours, as this browser keeps them. */
function LookPart() {
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

/** The recorder in a line, a test of it, and how it is set. */
function RecorderPart() {
  const { data: report, error } = useRecorder();
  const test = useTestRecording();
  return (
    <Part name="recorder" end={<a href={recorderAddress}>{t("The Recorder page")}</a>}>
      {error && !report && (
        <p className="details-warning" role="alert">
          {visibleText(error.message)}
        </p>
      )}
      {report && (
        <>
          <p className="settings-state" data-state={report.state.state}>
            <span className="recorder-dot" aria-hidden="true" />
            <span>
              <strong>{recorderWord(report.state).title}</strong>{" "}
              <bdi>{visibleText(translateMessage(report.state.detail))}</bdi>
            </span>
          </p>
          <div className="settings-buttons">
            <Button variant="soft" disabled={test.isPending} onClick={() => test.mutate()}>
              <Icon name="record" size={14} />
              {test.isPending ? testWords.busy : testWords.ask}
            </Button>
          </div>
          <TestResult test={test} />
          <details className="settings-more">
            <summary>{t("What is captured, how well, and with which sound")}</summary>
            <SettingsSection report={report} />
          </details>
        </>
      )}
    </Part>
  );
}

/** Where Kit keeps its files, how much they use, and which Kit this is. */
function FilesPart() {
  const { data: usage, error } = useUsage();
  const health = useHealth().data;
  return (
    <Part name="files" end={<a href={storageAddress}>{t("The Storage page")}</a>}>
      {error && !usage && (
        <p className="details-warning" role="alert">
          {visibleText(error.message)}
        </p>
      )}
      <dl className="facts settings-facts">
        {usage && (
          <>
            <Fact name={t("Data")}>
              <span className="settings-code">{visibleText(usage.dataDir)}</span>
              <CopyButton text={usage.dataDir} label={t("Copy the data directory")} />
            </Fact>
            <Fact name={t("Clips")}>
              <span className="settings-code">{visibleText(usage.clipsDir)}</span>
              <CopyButton text={usage.clipsDir} label={t("Copy the folder of clips")} />
            </Fact>
            <Fact name={t("Uses")}>
              {t("{{size}}, {{free}} are free", {
                size: sizeOf(sumOf(usage.bytes)),
                free: sizeOf(usage.disk.freeBytes),
              })}
            </Fact>
          </>
        )}
        <Fact name={t("Version")}>{health ? `Kit ${visibleText(health.version)}` : " "}</Fact>
      </dl>
    </Part>
  );
}

export function SettingsPage() {
  useChanges();
  const at = partIn(useFragment());
  useEffect(() => {
    document.title = t("Settings · Kit");
  }, []);
  useEffect(() => {
    if (at === undefined) return;
    document.getElementById(partId(at))?.scrollIntoView({ block: "start" });
    document.getElementById(`${partId(at)}-title`)?.focus({ preventScroll: true });
  }, [at]);
  return (
    <main className="recorder">
      <StorageBanner />
      <div className="settings">
        <nav className="settings-contents" aria-label={t("On this page")}>
          <ul>
            {partNames.map((name) => (
              <li key={name}>
                <a href={partAddress(name)} aria-current={at === name ? "location" : undefined}>
                  {partTitle(name)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="settings-column">
          <h1>{t("Settings")}</h1>
          <RecorderPart />
          <AccountsPart />
          <ForwardingPart />
          <NoticesPart />
          <OriginsPart />
          <LookPart />
          <StartPart />
          <FilesPart />
        </div>
      </div>
    </main>
  );
}

function NoticesPart() {
  const known = useGames().data?.games;
  const games = useMemo(() => (known ?? []).map(({ game }) => game), [known]);
  return (
    <Part name="notices">
      <p className="settings-quiet">{t("What is worth saying of errors without being asked. The bell lists them.")}</p>
      <NoticeSettingsSection games={games} />
    </Part>
  );
}
