// The bar over every page: whose page this is, where one can go, what the recorder does, light or dark.
import { IconButton } from "@radix-ui/themes";
import { useEffect, useRef } from "react";
import { NoticeBell } from "../notices/notice-bell.tsx";
import { DraftCount } from "../posts/draft-count.tsx";
import { RecorderBadge } from "../recorder/recorder-badge.tsx";
import { useSession, useSessionState } from "../session/session-context.ts";
import { clipsAddress, connectAddress, issuesAddress, type Place, postsAddress, sessionsAddress } from "./address.ts";
import { type Appearance, appearances } from "./appearance.ts";
import { Icon, type IconName } from "./icon.tsx";
import mark from "./mark.svg";

const appearanceWords: Record<Appearance, { says: string; icon: IconName }> = {
  system: { says: "as the system", icon: "screen" },
  light: { says: "light", icon: "sun" },
  dark: { says: "dark", icon: "moon" },
};

/** What is set up for posts belongs to them. */
const partOf: Partial<Record<Place["page"], Place["page"]>> = { accounts: "posts", "post-rules": "posts" };

/** A page more is a line more. */
const pages = [
  { page: "live", name: "Live", address: "#/live" },
  { page: "issues", name: "Issues", address: issuesAddress() },
  { page: "clips", name: "Clips", address: clipsAddress() },
  { page: "posts", name: "Posts", address: postsAddress() },
  { page: "sessions", name: "Sessions", address: sessionsAddress() },
  { page: "connect", name: "Connect", address: connectAddress() },
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
  const label = `Colours: ${appearanceWords[choice].says}. Change to ${appearanceWords[next].says}`;
  return (
    <header className="top-bar">
      <span className="brand">
        <img src={mark} width="26" height="26" alt="" />
        <span>Kit</span>
      </span>
      <nav ref={nav} aria-label="Pages">
        {pages.map(({ page, name, address }) => (
          <a key={page} href={address} aria-current={page === (partOf[shown] ?? shown) ? "page" : undefined}>
            {name}
            {page === "posts" && isOpen && <DraftCount />}
          </a>
        ))}
      </nav>
      <div className="top-bar-end">
        {isOpen && <RecorderBadge current={shown === "recorder"} />}
        {isOpen && <NoticeBell />}
        <IconButton variant="ghost" color="gray" aria-label={label} title={label} onClick={() => onAppearance(next)}>
          <Icon name={appearanceWords[choice].icon} />
        </IconButton>
      </div>
    </header>
  );
}
