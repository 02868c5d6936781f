// The Home page: the best moments of the last session, what waits for a person, and one suggestion.
import "./home.css";
import type { Clip, GameSession, Issue, Post } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import type { ReactNode } from "react";
import { useChanges } from "../../api/changes.ts";
import { useAccounts } from "../../api/use-posting.ts";
import { useRecorder } from "../../api/use-recorder.ts";
import { useBestClipsOfSession } from "../../api/use-session-clips.ts";
import { t } from "../../language/language.ts";
import {
  clipsAddress,
  issuesAddress,
  postAddress,
  postsAddress,
  recorderAddress,
  sessionsAddress,
} from "../../ui/address.ts";
import { clipTitle } from "../../ui/clips/clip-text.ts";
import { ClipPicture, useHoverOrFocus } from "../../ui/clips/clip-tile.tsx";
import { SessionReel } from "../../ui/clips/session-reel.tsx";
import { SmallPoster } from "../../ui/clips/small-poster.tsx";
import { ConsentCards } from "../../ui/consent-cards.tsx";
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
import { linesMax, useLastSession, useNewIssues, useWaitingDrafts } from "./use-home.ts";

const bestMax = 3;
/** Limits how often the page refetches while a game sends many events. */
const refetchMs = 2_000;

export function HomePage() {
  useChanges(refetchMs);
  usePageKeys({});
  useTitle(t("Home · Kit"));
  const session = useLastSession();
  const best = useBestClipsOfSession(session.data?.last);
  const drafts = useWaitingDrafts();
  const issues = useNewIssues();
  return (
    <Page className="home">
      <PageHead title={t("Home")} beside={<RecorderLine />} end={<SaveLast />} />
      <div className="column wide stack">
        <ConsentCards />
        <ErrorText error={session.error ?? best.error ?? drafts.error ?? issues.error} />
        <Suggestion sessions={session.data?.count} clips={best.data?.length} />
        {session.data?.last && <LastSession session={session.data.last} clips={best.data} />}
        {session.data?.count === 0 && <DemoPanel />}
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
function Suggestion({ sessions, clips }: { sessions: number | undefined; clips: number | undefined }) {
  const accounts = useAccounts().data?.accounts.length;
  const recorder = useRecorder().data?.state;
  if (sessions === undefined || accounts === undefined || recorder === undefined) return null;
  if (clips === undefined && sessions > 0) return null;
  const step = nextStep({ recorder, sessions, clips: clips ?? 0, accounts });
  return step === undefined ? null : <StepCard {...step} />;
}

const StepCard = ({ title, says, action, address }: NextStep) => (
  <section className="card home-step" data-tone="offer" aria-label={title}>
    <div>
      <h2>{title}</h2>
      <p>{visibleLine(says, 300)}</p>
    </div>
    <Button asChild>
      <a href={address}>{action}</a>
    </Button>
  </section>
);

function LastSession({ session, clips }: { session: GameSession; clips: readonly Clip[] | undefined }) {
  const nowMs = useNow();
  return (
    <PageSection
      title={t("Best moments of your last session")}
      end={
        <span className="cluster">
          <SessionReel session={session} clips={clips?.length ?? 0} />
          <a className="small" href={sessionsAddress(session.id)}>
            <bdi>{gameName(session.game)}</bdi>, <RelativeTime at={session.startedAt} nowMs={nowMs} />
          </a>
        </span>
      }
    >
      {clips?.length === 0 && <p className="quiet">{noClipsText(session)}</p>}
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
  ending === "running" ? t("No clip yet. The game is still running.") : t("This session has no clip.");

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
            <SmallPoster clip={post.footage.clip} />
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
