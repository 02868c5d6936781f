// Creates the notices of the launcher with their store, desktop notifier and routes.
import type { Route } from "../../http/route.ts";
import { log } from "../../log.ts";
import type { Storage } from "../../storage/storage.ts";
import { createDesktopNotifier } from "./desktop-notifier.ts";
import { createNoticeStore } from "./notice-store.ts";
import { createNotices, type Notices } from "./notices.ts";
import { noticeRoutes } from "./routes.ts";

export type StartNoticesDeps = {
  readonly storage: Storage;
  readonly now: () => number;
  /** The folders of `PATH`, in its format, where `notify-send` is searched. */
  readonly searchPath: string;
  /** Called when the list of notices or their settings changed. */
  readonly onNoticesChanged: () => void;
};

export function startNotices({ storage, now, searchPath, onNoticesChanged }: StartNoticesDeps): Pick<
  Notices,
  "checkForNew" | "stop"
> & {
  readonly routes: readonly Route[];
} {
  const notices = createNotices({
    store: createNoticeStore(storage),
    write: storage.write,
    now,
    desktop: createDesktopNotifier({ searchPath, onFailure: log.notNotified }),
    onChanged: onNoticesChanged,
  });
  return { checkForNew: notices.checkForNew, stop: notices.stop, routes: noticeRoutes(notices) };
}
