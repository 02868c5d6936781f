// Loads the script of a page, and offers a reload if that fails.
import { Button } from "@radix-ui/themes";
import { Component, type ReactNode, Suspense } from "react";
import { t } from "../language/language.ts";

type Props = { children: ReactNode };

/** After an update of Kit, the old scripts no longer exist. A reload fetches the new ones. */
class NotLoaded extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="page">
        <div className="empty" role="alert">
          <h1>{t("This page could not be shown")}</h1>
          <p>{t("Kit may have been updated or stopped in the meantime. Events that Kit already stored are safe.")}</p>
          <Button onClick={() => location.reload()}>{t("Reload")}</Button>
        </div>
      </main>
    );
  }
}

export function LoadedPage({ children }: Props) {
  return (
    <NotLoaded>
      {/* Loading takes milliseconds, so text would only flicker. */}
      <Suspense fallback={<main className="page" aria-busy="true" aria-label={t("Opening")} />}>{children}</Suspense>
    </NotLoaded>
  );
}
