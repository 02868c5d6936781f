// The Posts page: drafts that wait for a decision, posts that are being sent, and earlier posts.
import { networks, type Post, postStates } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { isPostViewFiltered, type PostView, parsePostView, toPostQuery } from "../../api/address-filters.ts";
import { useChanges } from "../../api/changes.ts";
import { useGameNames } from "../../api/use-games.ts";
import { useAccounts, usePostRules } from "../../api/use-posting.ts";
import { locale, t } from "../../language/language.ts";
import { accountsAddress, postRulesAddress, postsAddress, replaceAddress, useFragment } from "../../ui/address.ts";
import { CommandLine } from "../../ui/copy-button.tsx";
import { EmptyState, NoMatches } from "../../ui/empty.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { GameChoice, Select } from "../../ui/fields.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Page, PageHead, PostsTabs, useTitle } from "../../ui/page.tsx";
import { draftCountText, networkLabel, postStateLabel } from "../../ui/posts/post-text.ts";
import "../../ui/posts/posts.css";
import { PageSection } from "../../ui/section.tsx";
import { HelpButton } from "../../ui/shortcuts.tsx";
import { Toast } from "../../ui/toast.tsx";
import { useNow } from "../../ui/use-now.ts";
import { ApproveAllDialog, canApproveWithOthers } from "./approve-all-dialog.tsx";
import { postFocus, usePostKeys } from "./post-actions.tsx";
import { PostCard, type PostCardContext } from "./post-card.tsx";
import { usePostCommands } from "./use-post-commands.ts";
import { nextDraft, usePostLists, usePostQueue } from "./use-posts.ts";

type CardListProps = {
  readonly context: PostCardContext;
  /** Id of the post that is in the tab order. */
  readonly stop: string | undefined;
  readonly troubles: ReadonlyMap<string, string>;
};

type SectionProps = CardListProps & {
  title: string;
  posts: readonly Post[];
  size: "full" | "small";
  children?: ReactNode;
};

function PostSection({ title, posts, size, children, context, stop, troubles }: SectionProps) {
  return (
    <PageSection title={title}>
      {children}
      <ul className="stack">
        {posts.map((post) => (
          <li key={post.id}>
            <PostCard
              context={context}
              post={post}
              size={size}
              tabStop={post.id === stop}
              trouble={troubles.get(post.id)}
            />
          </li>
        ))}
      </ul>
    </PageSection>
  );
}

type MoreProps = { says: string; pages: { hasNextPage: boolean; isFetching: boolean; fetchNextPage: () => unknown } };

function ShowMore({ says, pages }: MoreProps) {
  if (!pages.hasNextPage) return null;
  return (
    <div className="list-end">
      <Button variant="soft" color="gray" disabled={pages.isFetching} onClick={() => void pages.fetchNextPage()}>
        {says}
      </Button>
    </div>
  );
}

type PostViewChange = { readonly [K in "state" | "game"]?: PostView[K] | undefined };

type Props = { view: PostView; games: readonly string[]; onChange: (change: PostViewChange) => void };

const stateChoices = () => [
  { value: "" as const, says: t("All states") },
  ...postStates.map((state) => ({ value: state, says: postStateLabel(state).says })),
];

/** The filters of the list: by state and by game. */
function PostFilterBar({ view, games, onChange }: Props) {
  return (
    <search className="filters" aria-label={t("Filter the posts")}>
      <Select
        label={t("State")}
        choices={stateChoices()}
        value={view.state ?? ""}
        onChange={(state) => onChange({ state: state || undefined })}
      />
      <GameChoice chosen={view.game} games={games} onChange={onChange} />
    </search>
  );
}

/** How many pages are loaded to find a post that the address names. A person must look for older posts. */
const pagesMax = 8;

type Pages = {
  data: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  fetchNextPage: () => unknown;
};

/** Focuses the post that the address names, by its event or its id. Loads older pages until the post is found. */
function useFocusNamedPost({ event, post: id }: PostView, posts: readonly Post[], pages: Pages): void {
  const found = useRef<string>(undefined);
  const named = event ?? id;
  const post = posts.find((each) => (event === undefined ? each.id === id : each.event === event));
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  const count = pages.data?.pages.length ?? 0;
  useEffect(() => {
    if (named === undefined || found.current === named) return;
    if (post !== undefined) {
      found.current = named;
      postFocus.focus(post.id);
    } else if (count > 0 && count < pagesMax && hasNextPage && !isFetching) void fetchNextPage();
  }, [named, post, count, hasNextPage, isFetching, fetchNextPage]);
}

/** The filter of the list, which is kept in the page's address. */
function usePostView(): [PostView, (change: PostViewChange) => void] {
  const fragment = useFragment();
  const view = useMemo(() => parsePostView(fragment), [fragment]);
  const change = useCallback((members: PostViewChange) => {
    const next = { ...parsePostView(location.hash), ...members } as PostView;
    replaceAddress(postsAddress(toPostQuery(next)));
  }, []);
  return [view, change];
}

/** Limits how often the page refetches: footage in preparation changes many times a second. */
const refetchMs = 1_000;

export function PostsPage() {
  useChanges(refetchMs);
  const [view, change] = usePostView();
  const { commands, done, forget: clearDone, troubles, decided } = usePostCommands();
  const lists = usePostLists(view, decided);
  const sections = usePostQueue(view, lists);
  /** The drafts that the dialog asks about. Drafts that arrive later are not approved. */
  const [confirming, setConfirming] = useState<readonly Post[]>();
  const posts = useMemo(
    () => [sections.waiting, sections.decided, sections.held, sections.moving, sections.past].flat(),
    [sections.waiting, sections.decided, sections.held, sections.moving, sections.past],
  );
  const { context, visited } = useCardContext(posts, commands);
  const drafts = posts.filter(({ state }) => state === "draft");
  const approveAll = () => setConfirming(drafts);
  const keys = usePostKeys({
    ...context,
    posts,
    onApproveAll: approveAll,
    onUndoLast: () => done?.undo?.(),
  });
  useFocusNamedPost(view, posts, lists.pages.past);
  useTitle(t("Posts · Kit"));
  const stop = posts.some(({ id }) => id === visited) ? visited : posts[0]?.id;
  return (
    <>
      <Page>
        <PageHead
          title={t("Posts")}
          beside={<PostsTabs page="posts" />}
          end={
            <>
              <ApproveAllButton drafts={drafts.filter(canApproveWithOthers).length} onApproveAll={approveAll} />
              <HelpButton onHelp={keys.open} />
            </>
          }
        >
          <PostFilterBar view={view} games={useGameNames(posts)} onChange={change} />
        </PageHead>
        <ErrorText error={lists.error} />
        <PostColumn sections={sections} pages={lists.pages} state={view.state} cards={{ context, stop, troubles }} />
        {lists.isReady && posts.length === 0 && (
          <EmptyList narrow={isPostViewFiltered(view)} onClear={() => change(noFilters)} />
        )}
        <p className="unseen" role="status">
          {drafts.length > 0 && t("{{drafts}} waiting for your decision", { drafts: draftCountText(drafts.length) })}
        </p>
        {keys.dialog}
      </Page>
      {confirming && (
        <ApproveAllDialog
          drafts={confirming}
          onApprove={commands.approveAll}
          onClose={() => setConfirming(undefined)}
        />
      )}
      <Toast done={done} onGone={clearDone} />
    </>
  );
}

const noFilters = { state: undefined, game: undefined };

type ColumnProps = {
  sections: ReturnType<typeof usePostQueue>;
  pages: ReturnType<typeof usePostLists>["pages"];
  state: Post["state"] | undefined;
  cards: Pick<Parameters<typeof PostSection>[0], "context" | "stop" | "troubles">;
};

function PostColumn({ sections, pages, state, cards }: ColumnProps) {
  const { waiting, decided, held, arrived, moving, past, renew } = sections;
  return (
    <div className="column">
      {waiting.length > 0 && (
        <PostSection {...cards} title={t("Waiting for you")} posts={waiting} size="full">
          <NewDraftsButton count={arrived} onShow={renew} />
        </PostSection>
      )}
      {state === undefined && <ShowMore says={t("Show more waiting posts")} pages={pages.waiting} />}
      {decided.length > 0 && <PostSection {...cards} title={t("Just decided")} posts={decided} size="small" />}
      {held.length > 0 && (
        <PostSection {...cards} title={t("Held back")} posts={held} size="small">
          <p className="small quiet">
            {t("A cooldown or a limit kept Kit from making these drafts. Post the ones you want anyway.")}
          </p>
        </PostSection>
      )}
      {state === undefined && <ShowMore says={t("Show more that are held back")} pages={pages.held} />}
      {moving.length > 0 && <PostSection {...cards} title={t("Being sent")} posts={moving} size="small" />}
      {past.length > 0 && (
        <PostSection
          {...cards}
          title={state === undefined ? t("History") : postStateLabel(state).says}
          posts={past}
          size={state === "draft" ? "full" : "small"}
        />
      )}
      <ShowMore says={t("Show older")} pages={pages.past} />
    </div>
  );
}

function EmptyList({ narrow, onClear }: { narrow: boolean; onClear: () => void }) {
  return narrow ? (
    <NoMatches
      title={t("No post matches these filters")}
      hint={t("New matches appear here automatically.")}
      clearLabel={t("Show all posts")}
      onClear={onClear}
    />
  ) : (
    <NoPosts />
  );
}

const fireCommand = "kit fire social mygame_boss_defeated";

const networkList = () =>
  new Intl.ListFormat(locale() ?? "en-GB", { type: "disjunction" }).format(
    networks.map((each) => networkLabel(each).says),
  );

/** Shown if there are no posts: the steps that lead to the first one. */
function NoPosts() {
  const accounts = useAccounts().data?.accounts.length;
  const rules = usePostRules().data?.rules.length;
  if (accounts === undefined || rules === undefined) return null;
  return (
    <EmptyState title={t("No posts yet")} isNew>
      <p>{t("When a game reports a moment worth sharing, a draft with its clip waits here for you.")}</p>
      <ol className="steps first-steps">
        <FirstStep done={accounts > 0} says={t("Connect an account")} href={accountsAddress}>
          {t("Where posts go: {{networks}}.", { networks: networkList() })}
        </FirstStep>
        <FirstStep done={rules > 0} says={t("Write a rule for an event")} href={postRulesAddress()}>
          {t("Write the text once. From then on, each matching event makes a draft.")}
        </FirstStep>
      </ol>
      <p>{t("Then play, or send a test event from a terminal:")}</p>
      <CommandLine command={fireCommand} />
    </EmptyState>
  );
}

type StepProps = { done: boolean; says: string; href: string; children: string };

function FirstStep({ done, says, href, children }: StepProps) {
  return (
    <li data-done={done}>
      <div>
        <a href={href}>{says}</a>
        {done && <span className="unseen"> {t("(done)")}</span>}
        <p className="quiet">{children}</p>
      </div>
    </li>
  );
}

function ApproveAllButton({ drafts, onApproveAll }: { drafts: number; onApproveAll: () => void }) {
  if (drafts < 2) return null;
  return (
    <Button variant="soft" color="gray" aria-keyshortcuts="Shift+A" onClick={onApproveAll}>
      <Icon name="check" size={14} />
      {t("Approve all {{count, number}}", { count: drafts })}
    </Button>
  );
}

/** Shows new drafts only after a click, so that no click acts on another post than intended. */
function NewDraftsButton({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <p className="posts-arrived" role="status">
      {count > 0 && (
        <Button size="1" variant="soft" onClick={onShow}>
          {t("Show new ({{drafts}})", { drafts: draftCountText(count) })}
        </Button>
      )}
    </p>
  );
}

/** Returns a function that keeps the focus on a post while its next change of state moves it to another section. */
function useFollowedFocus(posts: readonly Post[]) {
  const followed = useRef<Post>(undefined);
  useEffect(() => {
    const before = followed.current;
    const post = posts.find(({ id }) => id === before?.id);
    if (before === undefined || post === undefined || post.state === before.state) return;
    followed.current = undefined;
    if (document.activeElement === document.body) postFocus.focus(post.id);
  }, [posts]);
  return useCallback((post: Post) => {
    followed.current = post;
  }, []);
}

/** Creates the handlers of the cards, which also move the focus after each action. */
function useCardContext(posts: readonly Post[], commands: ReturnType<typeof usePostCommands>["commands"]) {
  const nowMs = useNow();
  const [visited, setVisited] = useState<string>();
  const [editing, setEditing] = useState<string>();
  const onVisit = useCallback((id: string) => setVisited(id), []);
  const followFocus = useFollowedFocus(posts);
  const focusNextDraft = useCallback(
    (post: Post) => {
      // If the focus is elsewhere, it stays there.
      if (postFocus.focusedId() !== post.id) return;
      const next = nextDraft(posts, post.id);
      if (next === undefined) followFocus(post);
      else postFocus.focus(next);
    },
    [posts, followFocus],
  );
  const context = useMemo(
    (): PostCardContext => ({
      commands,
      nowMs,
      editing,
      onVisit,
      onEdit: (post) => setEditing(post.id),
      onEdited: (post) => {
        setEditing(undefined);
        postFocus.focus(post.id);
      },
      onApprove: (post) => {
        commands.approve(post);
        focusNextDraft(post);
      },
      onSkip: (post) => {
        commands.skip(post);
        focusNextDraft(post);
      },
      onUndo: (post) => {
        postFocus.focus(post.id);
        followFocus(post);
        commands.undo(post);
      },
    }),
    [commands, nowMs, editing, onVisit, focusNextDraft, followFocus],
  );
  return { context, visited };
}
