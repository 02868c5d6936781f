// The bar over every page: whose page this is, where one can go, what the recorder does, light or dark.
import { IconButton } from "@radix-ui/themes";
import { useEffect, useRef } from "react";
import { useSession, useSessionState } from "../api/session-context.ts";
import { t } from "../language/language.ts";
import {
  clipsAddress,
  connectAddress,
  gamesAddress,
  issuesAddress,
  type Place,
  postsAddress,
  sessionsAddress,
  settingsAddress,
} from "../ui/address.ts";
import { NoticeBell } from "../ui/alerts/alert-bell.tsx";
import { type Appearance, appearances } from "../ui/appearance.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import mark from "../ui/mark.svg";
import { DraftCount } from "../ui/posts/draft-count.tsx";
import { RecorderBadge } from "../ui/recorder/recorder-badge.tsx";

const appearanceIcons: Record<Appearance, IconName> = { system: "screen", light: "sun", dark: "moon" };

/** What the button says that goes from one to the next. */
const appearanceWords = (choice: Appearance): string => {
  if (choice === "system") return t("Colours: as the system. Change to light");
  return choice === "light" ? t("Colours: light. Change to dark") : t("Colours: dark. Change to those of the system");
};

/** What is set up for a page belongs to it. */
const partOf: Partial<Record<Place["page"], Place["page"]>> = {
  accounts: "posts",
  "post-rules": "posts",
  rules: "games",
  storage: "settings",
  forwarding: "settings",
};

/** A page more is a line more. */
const pages = () =>
  [
    { page: "live", name: t("Live"), address: "#/live" },
    { page: "issues", name: t("Issues"), address: issuesAddress() },
    { page: "clips", name: t("Clips"), address: clipsAddress() },
    { page: "posts", name: t("Posts"), address: postsAddress() },
    { page: "sessions", name: t("Sessions"), address: sessionsAddress() },
    { page: "games", name: t("Games"), address: gamesAddress },
    { page: "connect", name: t("Connect"), address: connectAddress() },
  ] as const;

type Props = { page: Place["page"]; appearance: { choice: Appearance }; onAppearance: (choice: Appearance) => void };

export function TopBar({ page: shown, appearance: { choice }, onAppearance }: Props) {
  const isOpen = useSessionState(useSession()).state === "open";
  const next = appearances[(appearances.indexOf(choice) + 1) % appearances.length] ?? "system";
  const nav = useRef<HTMLElement>(null);
  // In a small window the names do not all fit.
  useEffect(() => {
    const current = nav.current?.querySelector(`[href^="#/${partOf[shown] ?? shown}"]`);
    current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [shown]);
  const label = appearanceWords(choice);
  const inSettings = shown === "settings" || partOf[shown] === "settings";
  return (
    <header className="top-bar">
      <span className="brand">
        <img src={mark} width="26" height="26" alt="" />
        <span>{t("Kit")}</span>
      </span>
      <nav ref={nav} aria-label={t("Pages")}>
        {pages().map(({ page, name, address }) => (
          <a key={page} href={address} aria-current={page === (partOf[shown] ?? shown) ? "page" : undefined}>
            {name}
            {page === "posts" && isOpen && <DraftCount />}
          </a>
        ))}
      </nav>
      <div className="top-bar-end">
        {isOpen && <RecorderBadge current={shown === "recorder"} />}
        {isOpen && <NoticeBell />}
        <IconButton asChild variant="ghost" color={inSettings ? "iris" : "gray"}>
          <a
            href={settingsAddress}
            aria-label={t("Settings")}
            title={t("Settings")}
            aria-current={inSettings ? "page" : undefined}
          >
            <Icon name="gear" />
          </a>
        </IconButton>
        <IconButton variant="ghost" color="gray" aria-label={label} title={label} onClick={() => onAppearance(next)}>
          <Icon name={appearanceIcons[choice]} />
        </IconButton>
      </div>
    </header>
  );
}
