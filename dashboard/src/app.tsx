// The app: theme, session, query cache, and the current page, whose script is loaded when needed. Without a session,
// it shows how to sign in.
import { KitError } from "@kit/contract";
import { Button, Theme } from "@radix-ui/themes";
import { QueryClientProvider } from "@tanstack/react-query";
import { Component, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { KitQueryClient } from "./api/changes.ts";
import { SessionContext, type SignInSession, useSessionState } from "./api/session.ts";
import { t } from "./language/language.ts";
import { OfflinePage } from "./offline-page.ts";
import { HomePage } from "./pages/home/home-page.tsx";
import { SignedOutPage } from "./signed-out-page.tsx";
import { TopBar } from "./top-bar.tsx";
import { type PageLocation, parseAddress, useFragment } from "./ui/address.ts";
import { effectiveAppearance, useAppearance } from "./ui/appearance.ts";
import { useListedNames } from "./ui/names.ts";

type Props = { children: ReactNode };

/** After an update of Kit, the old scripts no longer exist. A reload fetches the new ones. */
class NotLoaded extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return <NotLoadedPage />;
  }
}

const askEveryMs = 2_000;
/** Without this pause, a page that never loads would reload for ever. */
const reloadPauseMs = 30_000;
const reloadedAtKey = "kit-reloaded-at";

/** Reloads the page as soon as the launcher answers, at most once in 30 seconds. */
function useReloadWhenAnswering(): void {
  useEffect(() => {
    const ask = async () => {
      const lastMs = Number(sessionStorage.getItem(reloadedAtKey));
      if (Date.now() - lastMs < reloadPauseMs) return;
      const isAnswering = await fetch("/api/health").then(
        ({ ok }) => ok,
        () => false,
      );
      if (!isAnswering) return;
      sessionStorage.setItem(reloadedAtKey, String(Date.now()));
      location.reload();
    };
    const timer = setInterval(() => void ask(), askEveryMs);
    return () => clearInterval(timer);
  }, []);
}

function NotLoadedPage() {
  useReloadWhenAnswering();
  return (
    <main className="page">
      <div className="empty" role="alert">
        <h1>{t("Couldn't load this page")}</h1>
        <p>
          {t(
            "Kit may have been updated or stopped. Events that Kit already stored are safe. This page loads as soon as Kit answers.",
          )}
        </p>
        <Button onClick={() => location.reload()}>{t("Retry")}</Button>
      </div>
    </main>
  );
}

/** Loads the script of a page, and offers a reload if that fails. */
function LoadedPage({ children }: Props) {
  return (
    <NotLoaded>
      {/* Loading takes milliseconds, so text would only flicker. */}
      <Suspense fallback={<main className="page" aria-busy="true" aria-label={t("Opening")} />}>{children}</Suspense>
    </NotLoaded>
  );
}

// The script of each page except Home is loaded when the page is first opened.
const AccountsPage = lazy(async () => ({ default: (await import("./pages/accounts/accounts-page.tsx")).AccountsPage }));
const ClipsPage = lazy(async () => ({ default: (await import("./pages/clips/clips-page.tsx")).ClipsPage }));
const ConnectPage = lazy(async () => ({ default: (await import("./pages/connect/connect-page.tsx")).ConnectPage }));
const ForwardingPage = lazy(async () => ({
  default: (await import("./pages/forwarding/forwarding-page.tsx")).ForwardingPage,
}));
const JoinPage = lazy(async () => ({ default: (await import("./pages/forwarding/join-page.tsx")).JoinPage }));
const IssuesPage = lazy(async () => ({ default: (await import("./pages/issues/issues-page.tsx")).IssuesPage }));
const StoragePage = lazy(async () => ({ default: (await import("./pages/storage/storage-page.tsx")).StoragePage }));
const LibraryPage = lazy(async () => ({ default: (await import("./pages/library/library-page.tsx")).LibraryPage }));
const LivePage = lazy(async () => ({ default: (await import("./pages/live/live-page.tsx")).LivePage }));
const PostRulesPage = lazy(async () => ({
  default: (await import("./pages/post-rules/post-rules-page.tsx")).PostRulesPage,
}));
const PostsPage = lazy(async () => ({ default: (await import("./pages/posts/posts-page.tsx")).PostsPage }));
const RecorderPage = lazy(async () => ({ default: (await import("./pages/recorder/recorder-page.tsx")).RecorderPage }));
const RulesPage = lazy(async () => ({ default: (await import("./pages/rules/rules-page.tsx")).RulesPage }));
const SessionsPage = lazy(async () => ({ default: (await import("./pages/sessions/sessions-page.tsx")).SessionsPage }));
const SettingsPage = lazy(async () => ({ default: (await import("./pages/settings/settings-page.tsx")).SettingsPage }));

const createQueryClient = () =>
  new KitQueryClient({
    defaultOptions: {
      queries: { staleTime: 10_000, retry: (failures, error) => failures < 2 && !(error instanceof KitError) },
    },
  });

export function App({ session }: { session: SignInSession }) {
  const [queryClient] = useState(createQueryClient);
  const [choice, choose] = useAppearance();
  const place = parseAddress(useFragment());
  return (
    <Theme appearance={effectiveAppearance(choice)} accentColor="iris" grayColor="slate" radius="medium">
      <SessionContext value={session}>
        <QueryClientProvider client={queryClient}>
          <div className="frame">
            <SkipLink />
            <TopBar page={place.page} appearance={choice} onAppearance={choose} />
            <Page session={session} place={place} />
          </div>
        </QueryClientProvider>
      </SessionContext>
    </Theme>
  );
}

/** The first stop of the Tab key: moves the focus behind the navigation. A fragment would open another page. */
function SkipLink() {
  const skip = () => {
    const main = document.querySelector("main");
    if (main === null) return;
    main.tabIndex = -1;
    main.focus();
  };
  return (
    <Button className="skip-link" onClick={skip}>
      {t("Skip to the content")}
    </Button>
  );
}

function OpenPage({ place }: { place: PageLocation }) {
  useListedNames();
  switch (place.page) {
    case "home":
      return <HomePage />;
    case "live":
      return <LivePage />;
    case "clips":
      return <ClipsPage open={place.clip} />;
    case "issues":
      return <IssuesPage open={place.issue} />;
    case "posts":
      return <PostsPage />;
    case "sessions":
      return <SessionsPage open={place.session} />;
    case "accounts":
      return <AccountsPage />;
    case "post-rules":
      return <PostRulesPage />;
    case "forwarding":
      return <ForwardingPage />;
    case "join":
      return <JoinPage key={place.invitation} code={place.invitation} />;
    case "recorder":
      return <RecorderPage />;
    case "games":
      return <LibraryPage />;
    case "rules":
      return <RulesPage />;
    case "storage":
      return <StoragePage />;
    case "settings":
      return <SettingsPage />;
    case "connect":
      return <ConnectPage binding={place.binding} />;
  }
}

function Page({ session, place }: { session: SignInSession; place: PageLocation }) {
  const { state, ...rest } = useSessionState(session);
  if (state === "open") {
    return (
      <>
        <OfflinePage />
        <LoadedPage key={place.page}>
          <OpenPage place={place} />
        </LoadedPage>
      </>
    );
  }
  // Signing in takes milliseconds, so text would only flicker.
  if (state === "opening") return <main className="page" aria-busy="true" aria-label={t("Opening")} />;
  return <SignedOutPage why={"why" in rest ? rest.why : "none"} isInvited={place.page === "join"} />;
}
