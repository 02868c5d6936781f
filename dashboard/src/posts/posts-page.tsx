// The Posts page: what waits for a person, what is on its way, and what happened.
import type { Post } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { useCallback, useEffect, useMemo, useState } from "react";
import { Toast } from "../clips/toast.tsx";
import { Icon } from "../frame/icon.tsx";
import { useNow } from "../frame/use-now.ts";
import { useChanges } from "../live/use-changes.ts";
import { useGames } from "../live/use-games.ts";
import { StorageBanner } from "../storage/storage-banner.tsx";
import { ApproveAllDialog, isPlain } from "./approve-all-dialog.tsx";
import { focusedPost, focusPost } from "./moving.ts";
import type { PostCardGiven } from "./post-card.tsx";
import { PostFilterBar } from "./post-filter-bar.tsx";
import { PostSection, ShowMore } from "./post-list.tsx";
import { isNarrowed } from "./post-view.ts";
import { NoPosts, NothingMatches } from "./posts-empty.tsx";
import { PostsTabs } from "./posts-tabs.tsx";
import { needsPerson, nextDraft } from "./queue.ts";
import { usePostDoing } from "./use-post-doing.ts";
import { usePostKeys } from "./use-post-keys.tsx";
import { usePostView } from "./use-post-view.ts";
import { usePostLists } from "./use-posts.ts";
import { useQueue } from "./use-queue.ts";
import { useSoughtPost } from "./use-sought-post.ts";
import { draftsWord, postStateWord } from "./words.ts";
import "../clips/clips.css";
import { t } from "../language/language.ts";
import "../live/live.css";
import "../recorder/recorder.css";
import "./posts.css";

/** Footage that is prepared changes many times a second. */
const everyMs = 1_000;

export function PostsPage() {
  useChanges(everyMs);
  const [view, change] = usePostView();
  const { doing, done, forget, troubles, decided } = usePostDoing();
  const lists = usePostLists(view, decided);
  const laid = useQueue(view, lists);
  /** The drafts that are asked about, as they were then: what comes in meanwhile is not meant. */
  const [asked, setAsked] = useState<readonly Post[]>();
  const posts = useMemo(() => [...laid.queue, ...laid.moving, ...laid.past], [laid.queue, laid.moving, laid.past]);
  const { given, visited } = useCards(posts, doing);
  const drafts = posts.filter(({ state }) => state === "draft");
  const approveAll = () => setAsked(drafts);
  const keys = usePostKeys({
    ...given,
    posts,
    onApproveAll: approveAll,
    onUndoLast: () => done?.undo?.(),
  });
  useSoughtPost(view.event, posts, lists.pages.past);
  useEffect(() => {
    document.title = t("Posts · Kit");
  }, []);
  const stop = posts.some(({ id }) => id === visited) ? visited : posts[0]?.id;
  return (
    <>
      <main className="posts">
        <StorageBanner />
        <div className="live-sticky">
          <Head drafts={drafts.filter(isPlain).length} onApproveAll={approveAll} onHelp={keys.open} />
          <PostFilterBar view={view} games={useGameNames(posts)} onChange={change} />
        </div>
        {lists.error && (
          <p className="clips-trouble" role="alert">
            {lists.error.message}
          </p>
        )}
        <PostColumn laid={laid} pages={lists.pages} state={view.state} cards={{ given, stop, troubles }} />
        {lists.isReady && posts.length === 0 && <NoneShown narrow={isNarrowed(view)} onClear={() => change(nothing)} />}
        <p className="unseen" role="status">
          {drafts.length > 0 && t("{{drafts}} to decide", { drafts: draftsWord(drafts.length) })}
        </p>
        {keys.dialog}
      </main>
      {asked && <ApproveAllDialog drafts={asked} onApprove={doing.approveAll} onClose={() => setAsked(undefined)} />}
      <Toast done={done} onGone={forget} />
    </>
  );
}

const nothing = { state: undefined, game: undefined };

type ColumnProps = {
  laid: ReturnType<typeof useQueue>;
  pages: ReturnType<typeof usePostLists>["pages"];
  state: Post["state"] | undefined;
  cards: Pick<Parameters<typeof PostSection>[0], "given" | "stop" | "troubles">;
};

function PostColumn({ laid: { queue, arrived, moving, past, renew }, pages, state, cards }: ColumnProps) {
  return (
    <div className="posts-column">
      {queue.length > 0 && (
        <PostSection
          {...cards}
          title={queue.some(needsPerson) ? t("Waiting for you") : t("Just decided")}
          posts={queue}
          size="full"
        >
          <Arrived count={arrived} onShow={renew} />
        </PostSection>
      )}
      {state === undefined && <ShowMore says={t("Show more that waits")} pages={pages.waiting} />}
      {moving.length > 0 && <PostSection {...cards} title={t("On their way")} posts={moving} size="small" />}
      {past.length > 0 && (
        <PostSection
          {...cards}
          title={state === undefined ? t("What happened") : postStateWord(state).says}
          posts={past}
          size={state === "draft" ? "full" : "small"}
        />
      )}
      <ShowMore says={t("Show older")} pages={pages.past} />
    </div>
  );
}

function NoneShown({ narrow, onClear }: { narrow: boolean; onClear: () => void }) {
  return narrow ? <NothingMatches onClear={onClear} /> : <NoPosts />;
}

type HeadProps = { drafts: number; onApproveAll: () => void; onHelp: () => void };

function Head({ drafts, onApproveAll, onHelp }: HeadProps) {
  return (
    <div className="live-head posts-head">
      <h1>{t("Posts")}</h1>
      <PostsTabs page="posts" />
      <div className="live-head-end">
        {drafts > 1 && (
          <Button variant="soft" color="gray" aria-keyshortcuts="Shift+A" onClick={onApproveAll}>
            <Icon name="check" size={14} />
            {t("Approve all {{count, number}}", { count: drafts })}
          </Button>
        )}
        <IconButton
          variant="soft"
          color="gray"
          aria-label={t("Keys and help")}
          title={t("Keys and help")}
          onClick={onHelp}
        >
          <Icon name="help" />
        </IconButton>
      </div>
    </div>
  );
}

/** What came since waits: nobody's click meets another post than the one that was meant. */
function Arrived({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <p className="posts-arrived" role="status">
      {count > 0 && (
        <Button size="1" variant="soft" onClick={onShow}>
          {t("Show {{drafts}} more", { drafts: draftsWord(count) })}
        </Button>
      )}
    </p>
  );
}

/** What the cards are given: the steps, each with where the focus goes after it. */
function useCards(posts: readonly Post[], doing: ReturnType<typeof usePostDoing>["doing"]) {
  const nowMs = useNow();
  const [visited, setVisited] = useState<string>();
  const [editing, setEditing] = useState<string>();
  const onVisit = useCallback((id: string) => setVisited(id), []);
  const goOn = useCallback(
    (post: Post) => {
      // Who works elsewhere, with the pointer, keeps the focus where it is.
      if (focusedPost() !== post.id) return;
      focusPost(nextDraft(posts, post.id) ?? post.id);
    },
    [posts],
  );
  const given = useMemo(
    (): PostCardGiven => ({
      doing,
      nowMs,
      editing,
      onVisit,
      onEdit: (post) => setEditing(post.id),
      onEdited: (post) => {
        setEditing(undefined);
        focusPost(post.id);
      },
      onApprove: (post) => {
        doing.approve(post);
        goOn(post);
      },
      onSkip: (post) => {
        doing.skip(post);
        goOn(post);
      },
      onUndo: (post) => {
        doing.undo(post);
        focusPost(post.id);
      },
    }),
    [doing, nowMs, editing, onVisit, goOn],
  );
  return { given, visited };
}

function useGameNames(posts: readonly Post[]): string[] {
  const known = useGames().data?.games;
  return useMemo(() => {
    const seen = posts.flatMap(({ game }) => (game === null ? [] : [game]));
    return [...new Set([...(known ?? []).map(({ game }) => game), ...seen])].sort((a, b) => a.localeCompare(b));
  }, [known, posts]);
}
