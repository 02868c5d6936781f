// The top bar of every page: navigation with the number of waiting drafts, recorder state, alerts, settings and
// colours.
import { listPosts } from "@kit/contract";
import { IconButton } from "@radix-ui/themes";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useClient, useSessionState, useSignInSession } from "./api/session.ts";
import { useRecorder } from "./api/use-recorder.ts";
import { t, translateMessage } from "./language/language.ts";
import {
  clipsAddress,
  connectAddress,
  forwardingAddress,
  gamesAddress,
  homeAddress,
  issuesAddress,
  liveAddress,
  type PageLocation,
  postsAddress,
  recorderAddress,
  settingsAddress,
} from "./ui/address.ts";
import { AlertBell } from "./ui/alerts/alert-bell.tsx";
import { type Appearance, appearances } from "./ui/appearance.ts";
import { Icon, type IconName } from "./ui/icon.tsx";
import mark from "./ui/mark.svg";
import { draftCountText } from "./ui/posts/post-text.ts";
import { recorderStateLabel } from "./ui/recorder/recorder-text.ts";
import { visibleText } from "./ui/visible-text.ts";
import "./ui/recorder/recorder.css";

const shownMax = 99;
/** How often drafts are counted even without a message of the feed, which may be disconnected. */
const refetchMs = 60_000;

function useDraftCount() {
  const client = useClient();
  return useQuery({
    queryKey: ["posts", "drafts"],
    queryFn: async () => (await client.call(listPosts, { query: { limit: 1 } })).drafts,
    refetchInterval: refetchMs,
    retry: false,
  });
}

/** Shows how many drafts are waiting, beside the Posts link in the top bar. */
function DraftCount() {
  const count = useDraftCount().data ?? 0;
  if (count === 0) return null;
  return (
    <>
      <span className="count nav-count" aria-hidden="true">
        {count > shownMax ? `${shownMax}+` : count}
      </span>
      <span className="unseen">, {draftCountText(count)}</span>
    </>
  );
}

/** The recorder's state in the top bar. Its tooltip says what is being captured. */
function RecorderBadge({ current }: { current: boolean }) {
  const { data, isError } = useRecorder();
  const tip = useId();
  if (data === undefined && !isError) return null;
  const shown = data === undefined || isError ? undefined : data.state;
  const says = shown === undefined ? t("Not responding") : recorderStateLabel(shown).says;
  return (
    <span className="recorder-place">
      <a
        className="recorder-badge"
        href={recorderAddress}
        data-state={shown?.state ?? "unknown"}
        aria-current={current ? "page" : undefined}
        aria-describedby={tip}
      >
        <span className="recorder-dot" aria-hidden="true" />
        <span className="unseen">{t("Recorder:")} </span>
        <span className="recorder-word">{says}</span>
      </a>
      <span className="recorder-tip" role="tooltip" id={tip}>
        {shown === undefined
          ? t("The recorder's state is unknown because Kit is not responding.")
          : visibleText(translateMessage(shown.detail))}
      </span>
    </span>
  );
}

const appearanceIcons: Record<Appearance, IconName> = { system: "screen", light: "sun", dark: "moon" };

/** Returns the label of the button that switches to the next colour scheme. */
const appearanceLabel = (choice: Appearance): string => {
  if (choice === "system") return t("Colours: same as the system. Switch to light");
  return choice === "light" ? t("Colours: light. Switch to dark") : t("Colours: dark. Switch to the system's colours");
};

/** For each subpage, the page whose link in the navigation is marked as current. */
const parentPage: Partial<Record<PageLocation["page"], PageLocation["page"]>> = {
  accounts: "posts",
  join: "forwarding",
  "post-rules": "posts",
  sessions: "games",
  rules: "games",
  storage: "settings",
};

type NavLink = { readonly page: PageLocation["page"]; readonly name: string; readonly address: string };

/** The pages for everybody, in order. */
const mainPages = (): readonly NavLink[] => [
  { page: "home", name: t("Home"), address: homeAddress },
  { page: "clips", name: t("Clips"), address: clipsAddress() },
  { page: "posts", name: t("Posts"), address: postsAddress() },
  { page: "issues", name: t("Issues"), address: issuesAddress() },
  { page: "games", name: t("Games"), address: gamesAddress },
];

/** The pages for game developers. */
const developerPages = (): readonly NavLink[] => [
  { page: "live", name: t("Live"), address: liveAddress },
  { page: "connect", name: t("Connect"), address: connectAddress() },
  { page: "forwarding", name: t("Forwarding"), address: forwardingAddress },
];

type Props = {
  page: PageLocation["page"];
  appearance: { choice: Appearance };
  onAppearance: (choice: Appearance) => void;
};

export function TopBar({ page: shown, appearance: { choice }, onAppearance }: Props) {
  const isOpen = useSessionState(useSignInSession()).state === "open";
  const next = appearances[(appearances.indexOf(choice) + 1) % appearances.length] ?? "system";
  const label = appearanceLabel(choice);
  const inSettings = shown === "settings" || parentPage[shown] === "settings";
  return (
    <header className="top-bar">
      <span className="brand">
        <img src={mark} width="26" height="26" alt="" />
        <span>{t("Kit")}</span>
      </span>
      <div className="top-bar-links">
        <nav aria-label={t("Pages")}>
          {mainPages().map((link) => (
            <NavItem key={link.page} link={link} shown={shown}>
              {link.page === "posts" && isOpen && <DraftCount />}
            </NavItem>
          ))}
        </nav>
        <nav aria-label={t("Pages for developers")}>
          {developerPages().map((link) => (
            <NavItem key={link.page} link={link} shown={shown} />
          ))}
        </nav>
      </div>
      <div className="top-bar-end">
        {isOpen && <RecorderBadge current={shown === "recorder"} />}
        {isOpen && <AlertBell />}
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

type NavItemProps = { link: NavLink; shown: PageLocation["page"]; children?: ReactNode };

const NavItem = ({ link: { page, name, address }, shown, children }: NavItemProps) => (
  <a href={address} aria-current={page === (parentPage[shown] ?? shown) ? "page" : undefined}>
    {name}
    {children}
  </a>
);
