// What the inbox offers to the wiring. The rest of the folder is private.
export { startDispatcher } from "./dispatcher.ts";
export { createEventExportStore } from "./event-export-store.ts";
export { createFeed, type Feed } from "./feed.ts";
export { createInbox, type Inbox } from "./inbox.ts";
export {
  createInboxStore,
  exportEvents,
  type InboxStore,
  insertReceiptState,
  insertReceiptStateOrReason,
  updateEventSender,
} from "./inbox-store.ts";
export { startRetention } from "./retention.ts";
export { inboxRoutes } from "./routes.ts";
