// The Posts page: what waits for a person, what is on its way, and what happened.
import "../../ui/clips/clips.css";
import "../../ui/list-page.css";
import "../../ui/recorder/recorder.css";
import "../../ui/posts/posts.css";
import { type Post, postStates } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { needsPerson, nextDraft, queueOf } from "../../api/post-queue.ts";
import { isNarrowed, type PostView, postQueryOf, postViewIn } from "../../api/post-view.ts";
import { useChanges } from "../../api/use-changes.ts";
import { useGames } from "../../api/use-games.ts";
import { isPast, usePostLists } from "../../api/use-posts.ts";
import { t } from "../../language/language.ts";
import { postsAddress, replaceAddress, useFragment } from "../../ui/address.ts";
import { GameChoice } from "../../ui/game-choice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { draftsWord, postStateWord } from "../../ui/posts/post-words.ts";
import { PostsTabs } from "../../ui/posts/posts-tabs.tsx";
import { usePostCommands } from "../../ui/posts/use-post-commands.ts";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { Toast } from "../../ui/toast.tsx";
import { useNow } from "../../ui/use-now.ts";
import { ApproveAllDialog, isPlain } from "./approve-all-dialog.tsx";
import type { PostCardGiven } from "./post-card.tsx";
import { PostSection, ShowMore } from "./post-list.tsx";
import { NoPosts, NothingMatches } from "./posts-empty.tsx";
import { focusedPost, focusPost } from "./selection-moves.ts";
import { usePostKeys } from "./use-post-keys.tsx";

type PostViewChange = { readonly [K in "state" | "game"]?: PostView[K] | undefined };

type Props = { view: PostView; games: readonly string[]; onChange: (change: PostViewChange) => void };

/** The list's filters: which state, which game. */
function PostFilterBar({ view, games, onChange }: Props) {
  return (
    <search className="filters" aria-label={t("Filter the posts")}>
      <span className="select">
        <select
          aria-label={t("State")}
          value={view.state ?? ""}
          onChange={({ target }) => onChange({ state: postStates.find((state) => state === target.value) })}
        >
          <option value="">{t("All states")}</option>
          {postStates.map((state) => (
            <option key={state} value={state}>
              {postStateWord(state).says}
            </option>
          ))}
        </select>
      </span>
      <GameChoice chosen={view.game} games={games} onChange={onChange} />
    </search>
  );
}

const nobody: readonly string[] = [];
const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((id, index) => id === b[index]);

/**
 * The posts as the page lays them out: the queue, which moves for nobody's hand, what is on its way, and what happened.
 */
function useQueue(view: PostView, lists: ReturnType<typeof usePostLists>) {
  const of = `${view.state ?? ""} ${view.game ?? ""}`;
  const [shown, setShown] = useState({ of, ids: nobody });
  const before = shown.of === of ? shown.ids : nobody;
  const { waiting, moving, past, known, isReady } = lists;
  const queue = useMemo(
    () => (isReady ? queueOf({ before, waiting, known }) : { posts: [], arrived: 0 }),
    [before, waiting, known, isReady],
  );
  const ids = queue.posts.map(({ id }) => id);
  // What is shown is the beginning of what is shown next.
  if (isReady && (shown.of !== of || !isSame(shown.ids, ids))) setShown({ of, ids });
  const isIn = new Set(ids);
  const rest = {
    moving: moving.filter(({ id }) => !isIn.has(id)),
    past: view.state === undefined ? past.filter((post) => isPast(post) && !isIn.has(post.id)) : past,
  };
  /** Takes in what waits to be asked for, and lets go of what was decided. */
  const renew = useCallback(() => setShown({ of, ids: nobody }), [of]);
  return { queue: queue.posts, arrived: queue.arrived, ...rest, renew };
}

/** Further back it is looked for by who wants it. */
const pagesMax = 8;

type Pages = {
  data: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  fetchNextPage: () => unknown;
};

/** Goes to the post that an event became, when its address asks for it. */
function useSoughtPost(event: string | undefined, posts: readonly Post[], pages: Pages): void {
  const found = useRef<string>(undefined);
  const post = posts.find((each) => each.event === event);
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  const count = pages.data?.pages.length ?? 0;
  useEffect(() => {
    if (event === undefined || found.current === event) return;
    if (post !== undefined) {
      found.current = event;
      focusPost(post.id);
    } else if (count > 0 && count < pagesMax && hasNextPage && !isFetching) void fetchNextPage();
  }, [event, post, count, hasNextPage, isFetching, fetchNextPage]);
}

/** The list's view as the address holds it: changing one changes the other. */
function usePostView(): [PostView, (change: PostViewChange) => void] {
  const fragment = useFragment();
  const view = useMemo(() => postViewIn(fragment), [fragment]);
  const change = useCallback((members: PostViewChange) => {
    const next = { ...postViewIn(location.hash), ...members } as PostView;
    replaceAddress(postsAddress(postQueryOf(next)));
  }, []);
  return [view, change];
}

/** Footage that is prepared changes many times a second. */
const everyMs = 1_000;

export function PostsPage() {
  useChanges(everyMs);
  const [view, change] = usePostView();
  const { doing, done, forget, troubles, decided } = usePostCommands();
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
function useCards(posts: readonly Post[], doing: ReturnType<typeof usePostCommands>["doing"]) {
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
