// Loads the script of a page when it is first opened. Says when that fails, and when a page has an error of its own.
import { Button } from "@radix-ui/themes";
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffect } from "react";
import { t } from "./language/language.ts";

type Props = { children: ReactNode };

/** After an update of Kit, the old scripts no longer exist. A reload fetches the new ones. */
class ScriptNotLoaded extends Error {}

/** Like React's `lazy`, with an error that tells a missing script from an error of the page. */
export const lazyPage = <Given,>(load: () => Promise<{ default: ComponentType<Given> }>) =>
  lazy<ComponentType<Given>>(() =>
    load().catch((cause: unknown) => {
      throw new ScriptNotLoaded("The script of a page did not load.", { cause });
    }),
  );

class PageErrors extends Component<Props, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  /** Another place may have no error. */
  override componentDidUpdate({ children }: Props) {
    if (this.state.error !== undefined && children !== this.props.children) this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if ((error as unknown) instanceof ScriptNotLoaded) return <NotLoadedPage />;
    return <BrokenPage error={error} onRetry={() => this.setState({ error: undefined })} />;
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

/** A reload would not help, and would lose what was typed elsewhere. */
function BrokenPage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <main className="page">
      <div className="empty" role="alert">
        <h1>{t("This page has an error")}</h1>
        <p>{t("Kit itself keeps running, and your data is safe. The other pages still work.")}</p>
        <p>
          <code>{error instanceof Error ? error.message : String(error)}</code>
        </p>
        <Button onClick={onRetry}>{t("Retry")}</Button>
      </div>
    </main>
  );
}

/** Shows a page as soon as its script is loaded. */
export function LoadedPage({ children }: Props) {
  return (
    <PageErrors>
      {/* Loading takes milliseconds, so text would only flicker. */}
      <Suspense fallback={<main className="page" aria-busy="true" aria-label={t("Opening")} />}>{children}</Suspense>
    </PageErrors>
  );
}
