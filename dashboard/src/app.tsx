// The app: theme, session, query cache, and the current page, whose script is loaded when needed. Without a session,
// it shows how to sign in.
import { KitError } from "@kit/contract";
import { Button, Theme } from "@radix-ui/themes";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { KitQueryClient } from "./api/changes.ts";
import { SessionContext, type SignInSession, useSessionState } from "./api/session.ts";
import { t } from "./language/language.ts";
import { LoadedPage, lazyPage } from "./loaded-page.tsx";
import { OfflinePage } from "./offline-page.ts";
import { HomePage } from "./pages/home/home-page.tsx";
import { SignedOutPage } from "./signed-out-page.tsx";
import { TopBar } from "./top-bar.tsx";
import { type PageLocation, parseAddress, useFragment } from "./ui/address.ts";
import { effectiveAppearance, useAppearance } from "./ui/appearance.ts";
import { useListedNames } from "./ui/names.ts";

// The script of each page except Home is loaded when the page is first opened.
const AccountsPage = lazyPage(async () => ({
  default: (await import("./pages/accounts/accounts-page.tsx")).AccountsPage,
}));
const ClipsPage = lazyPage(async () => ({ default: (await import("./pages/clips/clips-page.tsx")).ClipsPage }));
const ConnectPage = lazyPage(async () => ({ default: (await import("./pages/connect/connect-page.tsx")).ConnectPage }));
const DemoPage = lazyPage(async () => ({ default: (await import("./pages/demo/demo-page.tsx")).DemoPage }));
const ForwardingPage = lazyPage(async () => ({
  default: (await import("./pages/forwarding/forwarding-page.tsx")).ForwardingPage,
}));
const JoinPage = lazyPage(async () => ({ default: (await import("./pages/forwarding/join-page.tsx")).JoinPage }));
const IssuesPage = lazyPage(async () => ({ default: (await import("./pages/issues/issues-page.tsx")).IssuesPage }));
const StoragePage = lazyPage(async () => ({ default: (await import("./pages/storage/storage-page.tsx")).StoragePage }));
const LibraryPage = lazyPage(async () => ({ default: (await import("./pages/library/library-page.tsx")).LibraryPage }));
const LivePage = lazyPage(async () => ({ default: (await import("./pages/live/live-page.tsx")).LivePage }));
const PostRulesPage = lazyPage(async () => ({
  default: (await import("./pages/post-rules/post-rules-page.tsx")).PostRulesPage,
}));
const PostsPage = lazyPage(async () => ({ default: (await import("./pages/posts/posts-page.tsx")).PostsPage }));
const RecorderPage = lazyPage(async () => ({
  default: (await import("./pages/recorder/recorder-page.tsx")).RecorderPage,
}));
const RulesPage = lazyPage(async () => ({ default: (await import("./pages/rules/rules-page.tsx")).RulesPage }));
const SessionsPage = lazyPage(async () => ({
  default: (await import("./pages/sessions/sessions-page.tsx")).SessionsPage,
}));
const SettingsPage = lazyPage(async () => ({
  default: (await import("./pages/settings/settings-page.tsx")).SettingsPage,
}));

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
    case "demo":
      return <DemoPage />;
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
