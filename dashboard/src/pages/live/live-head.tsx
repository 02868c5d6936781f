// The Live page's header: connection state, pause and help; and the filter, which is kept in the page's address.
import { Button } from "@radix-ui/themes";
import { type ReactNode, useCallback, useMemo } from "react";
import { type LiveFilter, liveAddress, parseLiveFilter } from "../../api/address-filters.ts";
import type { FeedState } from "../../api/feed.ts";
import type { FeedConnection } from "../../api/follow-feed.ts";
import { t } from "../../language/language.ts";
import { replaceAddress, useFragment } from "../../ui/address.ts";
import { Icon } from "../../ui/icon.tsx";
import { PageHead } from "../../ui/page.tsx";
import { HelpButton } from "../../ui/shortcuts.tsx";

/** The members of the filter to change; undefined removes one. */
export type LiveFilterChange = { readonly [K in keyof LiveFilter]?: LiveFilter[K] | undefined };

export function useLiveFilter(): [LiveFilter, (change: LiveFilterChange) => void] {
  const fragment = useFragment();
  const filter = useMemo(() => parseLiveFilter(fragment), [fragment]);
  const change = useCallback((members: LiveFilterChange) => {
    const next = { ...parseLiveFilter(location.hash), ...members } as LiveFilter;
    replaceAddress(liveAddress(next));
  }, []);
  return [filter, change];
}

/** After this many failed attempts, the launcher is probably not running, and the page says so. */
const quietAttemptsMax = 3;

type Shown = { state: "live" | "paused" | "waiting" | "off"; says: string };

function connectionStatus(connection: FeedConnection, paused: boolean): Shown {
  if (connection.state === "reconnecting") {
    const says = connection.attempt > quietAttemptsMax ? t("Kit is not responding. Is it running?") : t("Reconnecting");
    return { state: "off", says };
  }
  if (connection.state === "ended") return { state: "off", says: t("Signed out") };
  if (connection.state === "connecting") return { state: "waiting", says: t("Connecting") };
  return paused ? { state: "paused", says: t("Paused") } : { state: "live", says: t("Listening") };
}

type Props = {
  connection: FeedConnection;
  feed: FeedState;
  onPause: (paused: boolean) => void;
  onHelp: () => void;
  children: ReactNode;
};

export function LiveHead({ connection, feed, onPause, onHelp, children }: Props) {
  const { state, says } = connectionStatus(connection, feed.paused);
  return (
    <PageHead
      title={t("Live")}
      beside={
        <p className="connection" data-state={state} role="status">
          <span className="connection-dot" aria-hidden="true" />
          {says}
          {state === "live" && <span className="connection-host">{location.host}</span>}
        </p>
      }
      end={
        <>
          {feed.paused ? (
            <Button variant="solid" onClick={() => onPause(false)}>
              <Icon name="play" size={14} />
              {feed.bufferedCount > 0 ? t("Show {{count}} new", { count: feed.bufferedCount }) : t("Resume")}
            </Button>
          ) : (
            <Button variant="soft" color="gray" onClick={() => onPause(true)}>
              <Icon name="pause" size={14} />
              {t("Pause")}
            </Button>
          )}
          <HelpButton onHelp={onHelp} />
        </>
      }
    >
      {children}
    </PageHead>
  );
}
