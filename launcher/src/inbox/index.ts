// What other folders may import from `inbox`.
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
export { startJournalRetention } from "./retention.ts";
export { inboxRoutes } from "./routes.ts";
