// The Settings page: all settings in one column, with a table of contents on wide screens.
import "./settings.css";
import { type Autostart, getAutostart, getDesktopEntry, setAutostart, setDesktopEntry } from "@kit/contract";
import { Button, Switch } from "@radix-ui/themes";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useMemo } from "react";
import { useChanges } from "../../api/changes.ts";
import { useClient } from "../../api/session.ts";
import { useForwardingTargets } from "../../api/use-forwarding.ts";
import { useGames } from "../../api/use-games.ts";
import { useHealth, useSettingsChange } from "../../api/use-launcher.ts";
import { useAccounts } from "../../api/use-posting.ts";
import { useRecorder, useTestRecording } from "../../api/use-recorder.ts";
import { useUsage } from "../../api/use-storage.ts";
import {
  chooseLanguage,
  currentLanguage,
  type Language,
  languages,
  t,
  translateMessage,
} from "../../language/language.ts";
import { accountsAddress, forwardingAddress, recorderAddress, storageAddress, useFragment } from "../../ui/address.ts";
import { AlertSettings } from "../../ui/alerts/alert-settings.tsx";
import { type Appearance, useAppearance } from "../../ui/appearance.ts";
import { testRecordingLabels } from "../../ui/clips/clip-text.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { FieldRow, Select } from "../../ui/fields.tsx";
import { formatBytes } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { Page, useTitle } from "../../ui/page.tsx";
import { PlayingSettingsSection } from "../../ui/recorder/playing-settings.tsx";
import { RecorderSettingsSection } from "../../ui/recorder/recorder-settings.tsx";
import { recorderStateLabel } from "../../ui/recorder/recorder-text.ts";
import { Fact } from "../../ui/section.tsx";
import { totalBytes } from "../../ui/storage-usage.ts";
import { TestRecordingResult } from "../../ui/test-result.tsx";
import { visibleText } from "../../ui/visible-text.ts";
import { OriginsSection } from "./origins-section.tsx";
import { SettingsSection } from "./settings-section.tsx";
import {
  sectionFromAddress,
  settingsSectionAddress,
  settingsSectionId,
  settingsSectionNames,
  settingsSectionTitle,
} from "./settings-sections.ts";

const autostartKey = ["autostart"];

/** Fetches whether Kit starts at sign-in. */
function useAutostart() {
  const client = useClient();
  return useQuery({ queryKey: autostartKey, queryFn: () => client.call(getAutostart) });
}

const useAutostartChange = () =>
  useSettingsChange(autostartKey, (client, on: boolean) => client.call(setAutostart, { body: { on } }));

/** Returns a command as a person could type it, with quotes around words that contain spaces. */
const commandText = (command: readonly string[]) =>
  command.map((word) => (/\s/u.test(word) ? `"${word}"` : word)).join(" ");

/** Settings section: whether Kit starts when the user signs in, and the file that makes it start. */
function AutostartSection() {
  const { data, error } = useAutostart();
  const change = useAutostartChange();
  const id = useId();
  const trouble = change.error ?? (data ? null : error);
  return (
    <SettingsSection name="start">
      <label className="switch-label" htmlFor={id}>
        <Switch
          id={id}
          checked={data?.on ?? false}
          disabled={data === undefined || change.isPending || (!data.can && !data.on)}
          onCheckedChange={(on) => change.mutate(on)}
        />
        {t("Kit starts when you sign in")}
      </label>
      <p className="quiet" role="status">
        {data && visibleText(translateMessage(data.detail))}
      </p>
      <ErrorText error={trouble} />
      {data && (data.on || data.can) && <AutostartFile report={data} />}
      <MenuSwitch />
    </SettingsSection>
  );
}

const menuKey = ["desktop-entry"];

/** Whether Kit is in the menu of the desktop, from which a person opens the dashboard without a terminal. */
function MenuSwitch() {
  const client = useClient();
  const { data, error } = useQuery({ queryKey: menuKey, queryFn: () => client.call(getDesktopEntry) });
  const change = useSettingsChange(menuKey, (launcher, on: boolean) =>
    launcher.call(setDesktopEntry, { body: { on } }),
  );
  const id = useId();
  return (
    <>
      <label className="switch-label" htmlFor={id}>
        <Switch
          id={id}
          checked={data?.on ?? false}
          disabled={data === undefined || change.isPending || !data.can}
          onCheckedChange={(on) => change.mutate(on)}
        />
        {t("Kit is in the menu of your desktop, and opens signed in")}
      </label>
      <p className="quiet" role="status">
        {data && visibleText(translateMessage(data.detail))}
      </p>
      <ErrorText error={change.error ?? (data ? null : error)} />
    </>
  );
}

function AutostartFile({ report: { on, place, command } }: { report: Autostart }) {
  const line = commandText(command);
  return (
    <dl className="facts">
      {place !== null && (
        <Fact name={on ? t("Autostart file") : t("Autostart file (not written yet)")}>
          <span className="code">{visibleText(place)}</span>
          <CopyButton text={place} label={t("Copy the path")} />
        </Fact>
      )}
      <Fact name={t("Command")}>
        <span className="code">{visibleText(line)}</span>
        <CopyButton text={line} label={t("Copy the command")} />
      </Fact>
    </dl>
  );
}

/** Shows how many accounts or targets Kit has stopped, so that a person must act. */
function StoppedCount({ all = [] }: { all: readonly { readonly stopped: unknown }[] | undefined }) {
  const count = all.filter(({ stopped }) => stopped !== null).length;
  if (count === 0) return null;
  return (
    <p className="warn">
      {t("{{count}} of them were stopped and need your attention.", {
        count,
        defaultValue_one: "{{count}} of them was stopped and needs your attention.",
      })}
    </p>
  );
}

function AccountsSection() {
  const accounts = useAccounts().data?.accounts;
  return (
    <SettingsSection name="accounts" end={<a href={accountsAddress}>{t("Open the Accounts page")}</a>}>
      <p className="quiet">{t("Kit sends posts to these accounts, and only when a rule says so.")}</p>
      <p>
        {accounts === undefined
          ? " "
          : accounts.length === 0
            ? t("No account is connected.")
            : t("{{count}} accounts are connected.", {
                count: accounts.length,
                defaultValue_one: "{{count}} account is connected.",
              })}
      </p>
      <StoppedCount all={accounts} />
    </SettingsSection>
  );
}

function ForwardingSection() {
  const targets = useForwardingTargets().data?.targets;
  return (
    <SettingsSection name="forwarding" end={<a href={forwardingAddress}>{t("Open the Forwarding page")}</a>}>
      <p className="quiet">{t("Kit can forward error reports to your own servers.")}</p>
      <p>
        {targets === undefined
          ? " "
          : targets.length === 0
            ? t("Nothing is forwarded at the moment.")
            : t("Kit forwards error reports to {{count}} servers.", {
                count: targets.length,
                defaultValue_one: "Kit forwards error reports to {{count}} server.",
              })}
      </p>
      <StoppedCount all={targets} />
    </SettingsSection>
  );
}

const languageField = "settings-language";
/**
 * Key in session storage. It survives the reload after a change of the language, and says that the focus must be
 * restored.
 */
const chosenKey = "kit-language-chosen";

const languageChoices = Object.entries(languages).map(([value, says]) => ({ value: value as Language, says }));

const appearanceChoices = (): { value: Appearance; says: string }[] => [
  { value: "system", says: t("Same as the system") },
  { value: "light", says: t("Light") },
  { value: "dark", says: t("Dark") },
];

function changeLanguage(language: Language): void {
  sessionStorage.setItem(chosenKey, language);
  chooseLanguage(language);
}

/** Moves the focus back to the choice of the language after the reload that changing it causes. */
function useRestoredFocus(): void {
  useEffect(() => {
    if (sessionStorage.getItem(chosenKey) === null) return;
    sessionStorage.removeItem(chosenKey);
    document.getElementById(languageField)?.focus();
  }, []);
}

/** Language and colours, which this browser remembers. */
function AppearanceSection() {
  const [{ choice }, chooseAppearance] = useAppearance();
  useRestoredFocus();
  return (
    <SettingsSection name="look">
      <div className="setting">
        <label htmlFor={languageField}>{t("Language")}</label>
        <div className="setting-value">
          <Select id={languageField} choices={languageChoices} value={currentLanguage()} onChange={changeLanguage} />
        </div>
      </div>
      <FieldRow label={t("Colours")}>
        {({ field }) => <Select id={field} choices={appearanceChoices()} value={choice} onChange={chooseAppearance} />}
      </FieldRow>
    </SettingsSection>
  );
}

/** The recorder's state, a test recording, and its settings. */
function RecorderSection() {
  const { data: report, error } = useRecorder();
  const test = useTestRecording();
  return (
    <SettingsSection name="recorder" end={<a href={recorderAddress}>{t("Open the Recorder page")}</a>}>
      <ErrorText error={!report && error} />
      {report && (
        <>
          <p className="with-icon" data-state={report.state.state}>
            <span className="recorder-dot icon" aria-hidden="true" />
            <span>
              <strong>{recorderStateLabel(report.state).title}</strong>{" "}
              <bdi>{visibleText(translateMessage(report.state.detail))}</bdi>
            </span>
          </p>
          <div className="cluster tight">
            <Button variant="soft" disabled={test.isPending} onClick={() => test.mutate()}>
              <Icon name="record" size={14} />
              {test.isPending ? testRecordingLabels.busy : testRecordingLabels.ask}
            </Button>
          </div>
          <TestRecordingResult test={test} />
          <details className="settings-more">
            <summary>{t("Recorder settings")}</summary>
            <RecorderSettingsSection report={report} />
          </details>
          <PlayingSettingsSection report={report} />
        </>
      )}
    </SettingsSection>
  );
}

/** Where files are stored, how much disk space they use, and the version. */
function FilesSection() {
  const { data: usage, error } = useUsage();
  const health = useHealth().data;
  return (
    <SettingsSection name="files" end={<a href={storageAddress}>{t("Open the Storage page")}</a>}>
      <ErrorText error={!usage && error} />
      <dl className="facts">
        {usage && (
          <>
            <Fact name={t("Data folder")}>
              <span className="code">{visibleText(usage.dataDir)}</span>
              <CopyButton text={usage.dataDir} label={t("Copy the path of the data folder")} />
            </Fact>
            <Fact name={t("Clips")}>
              <span className="code">{visibleText(usage.clipsDir)}</span>
              <CopyButton text={usage.clipsDir} label={t("Copy the path of the clips folder")} />
            </Fact>
            <Fact name={t("Disk usage")}>
              {t("{{size}} used, {{free}} free", {
                size: formatBytes(totalBytes(usage.bytes)),
                free: formatBytes(usage.disk.freeBytes),
              })}
            </Fact>
          </>
        )}
        <Fact name={t("Version")}>{health ? `Kit ${visibleText(health.version)}` : " "}</Fact>
      </dl>
    </SettingsSection>
  );
}

export function SettingsPage() {
  useChanges();
  const at = sectionFromAddress(useFragment());
  useTitle(t("Settings · Kit"));
  useEffect(() => {
    if (at === undefined) return;
    document.getElementById(settingsSectionId(at))?.scrollIntoView({ block: "start" });
    document.getElementById(`${settingsSectionId(at)}-title`)?.focus({ preventScroll: true });
  }, [at]);
  return (
    <Page>
      <div className="column settings">
        <nav className="settings-contents" aria-label={t("On this page")}>
          <ul>
            {settingsSectionNames.map((name) => (
              <li key={name}>
                <a href={settingsSectionAddress(name)} aria-current={at === name ? "location" : undefined}>
                  {settingsSectionTitle(name)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="stack">
          <h1>{t("Settings")}</h1>
          <RecorderSection />
          <AccountsSection />
          <ForwardingSection />
          <AlertsSection />
          <OriginsSection />
          <AppearanceSection />
          <AutostartSection />
          <FilesSection />
        </div>
      </div>
    </Page>
  );
}

function AlertsSection() {
  const known = useGames().data?.games;
  const games = useMemo(() => (known ?? []).map(({ game }) => game), [known]);
  return (
    <SettingsSection name="notices">
      <p className="quiet">
        {t(
          "Kit alerts you when an issue is new, returns after it was resolved, or reaches a count. The bell lists the alerts.",
        )}
      </p>
      <AlertSettings games={games} />
    </SettingsSection>
  );
}
