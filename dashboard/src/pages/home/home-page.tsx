// The Home page: the best moments of the last evening, what waits for a person, and one suggestion.
import "./home.css";
import { type Clip, demoGame, type GameSession, type Issue, type Post } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type ReactNode, useState } from "react";
import { useChanges } from "../../api/changes.ts";
import { useBestClipsOfEvening } from "../../api/use-clips.ts";
import { useGames } from "../../api/use-games.ts";
import { postPictureFile, useAccounts } from "../../api/use-posting.ts";
import { useRecorder } from "../../api/use-recorder.ts";
import { t } from "../../language/language.ts";
import { AddGameButton } from "../../ui/add-game.tsx";
import {
  clipsAddress,
  connectAddress,
  gamesAddress,
  issuesAddress,
  postAddress,
  postsAddress,
  recorderAddress,
  sessionsAddress,
} from "../../ui/address.ts";
import { BestReel } from "../../ui/clips/best-reel.tsx";
import { clipTitle } from "../../ui/clips/clip-text.ts";
import { ClipPicture, SmallPicture, useHoverOrFocus } from "../../ui/clips/clip-tile.tsx";
import { DemoPanel } from "../../ui/demo-panel.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { RelativeTime } from "../../ui/labels.tsx";
import { gameName } from "../../ui/names.ts";
import { Page, PageHead, useTitle } from "../../ui/page.tsx";
import { postEventName } from "../../ui/posts/post-text.ts";
import { recorderStateLabel } from "../../ui/recorder/recorder-text.ts";
import { SaveLast } from "../../ui/recorder/save-last.tsx";
import { PageSection } from "../../ui/section.tsx";
import { usePageKeys } from "../../ui/shortcuts.tsx";
import { useNow } from "../../ui/use-now.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { type NextStep, nextStep } from "./next-step.ts";
import { linesMax, useNewestSession, useNewIssues, useWaitingDrafts } from "./use-home.ts";

const bestMax = 3;
/** Limits how often the page refetches while a game sends many events. */
const refetchMs = 2_000;
const screenNoticeKey = "kit-screen-notice";

export function HomePage() {
  useChanges(refetchMs);
  usePageKeys({});
  useTitle(t("Home · Kit"));
  const sessions = useNewestSession();
  const { newest, isOnlyDemo } = sessions.data ?? {};
  const best = useBestClipsOfEvening(Boolean(newest));
  const drafts = useWaitingDrafts();
  const issues = useNewIssues();
  return (
    <Page className="home">
      <PageHead title={t("Home")} beside={<RecorderLine />} end={<SaveLast />} />
      <div className="column wide stack">
        <ErrorText error={sessions.error ?? best.error ?? drafts.error ?? issues.error} />
        <Suggestion hasPlayed={isOnlyDemo === undefined ? undefined : !isOnlyDemo} clips={best.data?.length} />
        {newest && <BestMoments last={newest} clips={best.data} />}
        {isOnlyDemo && <DemoPanel />}
        <div className="home-lists">
          <Drafts posts={drafts.data?.posts ?? []} count={drafts.data?.drafts ?? 0} />
          <NewErrors issues={issues.data ?? []} />
        </div>
      </div>
    </Page>
  );
}

function RecorderLine() {
  const recorder = useRecorder().data?.state;
  if (recorder === undefined) return null;
  return (
    <a className="small quiet ellipsis" href={recorderAddress}>
      {recorderStateLabel(recorder).title}
    </a>
  );
}

/** Shows nothing until everything that decides the suggestion is known, so that it does not change while a person reads it. */
function Suggestion({ hasPlayed, clips }: { hasPlayed: boolean | undefined; clips: number | undefined }) {
  const accounts = useAccounts().data?.accounts.filter(({ demo }) => !demo).length;
  const games = useGames().data?.games.filter(({ game }) => game !== demoGame).length;
  const report = useRecorder().data;
  const [knowsScreen, readAboutScreen] = useScreenNotice();
  if (hasPlayed === undefined || accounts === undefined || games === undefined || report === undefined) return null;
  if (clips === undefined && hasPlayed) return null;
  const step = nextStep({
    recorder: report.state,
    hasHotkey: report.settings.saveHotkey !== null,
    ...{ hasPlayed, games, clips: clips ?? 0, accounts, knowsScreen },
  });
  return step === undefined ? null : <StepCard {...step} onRead={step.isOnce ? readAboutScreen : undefined} />;
}

/** The browser remembers that the person has read it. */
function useScreenNotice(): [boolean, () => void] {
  const [isKnown, setKnown] = useState(() => localStorage.getItem(screenNoticeKey) !== null);
  const read = () => {
    localStorage.setItem(screenNoticeKey, "read");
    setKnown(true);
  };
  return [isKnown, read];
}

/** With `onRead`, a person can put the card away; opening its page does so, too. */
const StepCard = ({ title, says, action, onRead }: NextStep & { onRead: (() => void) | undefined }) => (
  <section className="card home-step" data-tone="offer" aria-label={title}>
    <div>
      <h2>{title}</h2>
      <p>{visibleLine(says, 300)}</p>
    </div>
    <span className="cluster">
      {onRead && (
        <Button variant="soft" color="gray" onClick={onRead}>
          {t("Dismiss")}
        </Button>
      )}
      {action === undefined ? (
        <>
          <a href={connectAddress()}>{t("Do you make the game?")}</a>
          <AddGameButton onAdded={() => location.assign(gamesAddress)} />
        </>
      ) : (
        <Button asChild>
          <a href={action.address} onClick={onRead}>
            {action.text}
          </a>
        </Button>
      )}
    </span>
  </section>
);

type BestProps = { last: GameSession; clips: readonly Clip[] | undefined };

function BestMoments({ last, clips }: BestProps) {
  const nowMs = useNow();
  const byTime = clips?.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)) ?? [];
  const games = [...new Set(byTime.map(({ game }) => game))];
  const [first] = byTime;
  return (
    <PageSection
      title={t("Best moments of the last time you played")}
      end={
        first && (
          <span className="cluster">
            <BestReel clips={clips ?? []} />
            <a className="small" href={sessionsAddress()}>
              {games.map((game) => (
                <span key={game}>
                  <bdi>{gameName(game)}</bdi>,{" "}
                </span>
              ))}
              <RelativeTime at={first.startedAt} nowMs={nowMs} />
            </a>
          </span>
        )
      }
    >
      {clips?.length === 0 && <p className="quiet">{noClipsText(last)}</p>}
      {clips !== undefined && clips.length > 0 && (
        <ul className="home-best">
          {clips.slice(0, bestMax).map((clip) => (
            <li key={clip.id}>
              <BestClip clip={clip} />
            </li>
          ))}
        </ul>
      )}
    </PageSection>
  );
}

const noClipsText = ({ ending }: GameSession): string =>
  ending === "running" ? t("No clip yet. The game is still running.") : t("No clip of a moment yet.");

function BestClip({ clip }: { clip: Clip }) {
  const [isActive, handlers] = useHoverOrFocus();
  return (
    <a className="home-clip" href={clipsAddress(clip.id)} {...handlers}>
      <ClipPicture clip={clip} isActive={isActive} />
      <bdi className="clip-title ellipsis">{visibleLine(clipTitle(clip), 120)}</bdi>
    </a>
  );
}

type ListProps = { title: string; address: string; all: string; empty: string; children: readonly ReactNode[] };

function ShortList({ title, address, all, empty, children }: ListProps) {
  return (
    <PageSection
      title={title}
      end={
        <a className="small" href={address}>
          {all}
        </a>
      }
    >
      {children.length === 0 ? <p className="quiet">{empty}</p> : <ul className="lines">{children}</ul>}
    </PageSection>
  );
}

function Drafts({ posts, count }: { posts: readonly Post[]; count: number }) {
  const nowMs = useNow();
  const title = count > linesMax ? t("Waiting for you ({{count}})", { count }) : t("Waiting for you");
  return (
    <ShortList title={title} address={postsAddress()} all={t("All posts")} empty={t("No draft waits for you.")}>
      {posts.map((post) => (
        <li key={post.id}>
          <a className="home-line" href={postAddress(post.id)}>
            <SmallPicture file={post.footage.state === "ready" ? postPictureFile(post) : null} />
            <bdi className="ellipsis">{visibleLine(post.text || postEventName(post), 120)}</bdi>
            <span className="small quiet">
              <RelativeTime at={post.happenedAt} nowMs={nowMs} />
            </span>
          </a>
        </li>
      ))}
    </ShortList>
  );
}

function NewErrors({ issues }: { issues: readonly Issue[] }) {
  const nowMs = useNow();
  return (
    <ShortList title={t("New errors")} address={issuesAddress()} all={t("All issues")} empty={t("No new errors.")}>
      {issues.map(({ id, title, game, lastSeen }) => (
        <li key={id}>
          <a className="home-line" href={issuesAddress(id)}>
            <bdi className="ellipsis">{visibleLine(title, 160) || t("An error without a message")}</bdi>
            <span className="small quiet">
              <bdi>{gameName(game)}</bdi>, <RelativeTime at={lastSeen} nowMs={nowMs} />
            </span>
          </a>
        </li>
      ))}
    </ShortList>
  );
}
