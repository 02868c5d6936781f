// Around a page whose script is fetched when it is first opened: quiet while it comes, and a way on when it does not.
import { Button } from "@radix-ui/themes";
import { Component, type ReactNode, Suspense } from "react";
import { t } from "../language/language.ts";

type Props = { children: ReactNode };

/** After an update of Kit the page's older files are no longer there: loading it anew fetches the new ones. */
class NotLoaded extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="quiet-page">
        <div className="quiet-card" role="alert">
          <h1>{t("This page could not be shown")}</h1>
          <p>{t("Kit may have been updated or stopped meanwhile. What games send is kept either way.")}</p>
          <Button onClick={() => location.reload()}>{t("Load it again")}</Button>
        </div>
      </main>
    );
  }
}

export function LoadedPage({ children }: Props) {
  return (
    <NotLoaded>
      {/* It takes a few milliseconds: words would only flicker. */}
      <Suspense fallback={<main className="quiet-page" aria-busy="true" aria-label={t("Opening")} />}>
        {children}
      </Suspense>
    </NotLoaded>
  );
}
