// The notices of a launcher: what they are made of.
import type { Route } from "../../http/route.ts";
import { log } from "../../log.ts";
import type { Storage } from "../../storage/storage.ts";
import { createDesktop } from "./desktop.ts";
import { createNoticeStore } from "./notice-store.ts";
import { createNotices, type Notices } from "./notices.ts";
import { noticeRoutes } from "./routes.ts";

export type NoticesStart = {
  readonly storage: Storage;
  readonly now: () => number;
  /** Where the program is looked for that shows notifications. */
  readonly searchPath: string;
  /** The list of notices changed, or how they are set. */
  readonly onNotices: () => void;
};

export function startNotices({ storage, now, searchPath, onNotices }: NoticesStart): Pick<Notices, "look" | "stop"> & {
  readonly routes: readonly Route[];
} {
  const notices = createNotices({
    store: createNoticeStore(storage),
    write: storage.write,
    now,
    desktop: createDesktop({ searchPath, onFailure: log.notNotified }),
    onChanged: onNotices,
  });
  return { look: notices.look, stop: notices.stop, routes: noticeRoutes(notices) };
}
