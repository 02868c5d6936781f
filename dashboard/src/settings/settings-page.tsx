// The Settings page: everything that is set once, in one column, with a table of contents where there is room.
import { useEffect, useMemo } from "react";
import { useFragment } from "../frame/address.ts";
import { t } from "../language/language.ts";
import { useChanges } from "../live/use-changes.ts";
import { useGames } from "../live/use-games.ts";
import { NoticeSettingsSection } from "../notices/notice-settings.tsx";
import { StorageBanner } from "../storage/storage-banner.tsx";
import { partAddress, partId, partIn, partNames, partTitle } from "./contents.ts";
import { FilesPart } from "./files-part.tsx";
import { LookPart } from "./look-part.tsx";
import { OriginsPart } from "./origins-part.tsx";
import { Part } from "./part.tsx";
import { RecorderPart } from "./recorder-part.tsx";
import { AccountsPart, ForwardingPart } from "./sending-parts.tsx";
import { StartPart } from "./start-part.tsx";
import "../live/live.css";
import "../live/details.css";
import "../clips/clips.css";
import "../recorder/recorder.css";
import "./settings.css";

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
