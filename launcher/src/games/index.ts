// What other folders may import from `games`.
export { createEventAssignment, createGameLookup, type EventAssignment } from "./event-assignment.ts";
export { createEventsFiles } from "./events-file.ts";
export { createGameDataStore, loadLabels } from "./game-store.ts";
export { GameRegistry } from "./games.ts";
export { createGameLibrary } from "./library/library.ts";
export { createLibraryStore } from "./library/library-store.ts";
export { createPlayGame } from "./library/play.ts";
export { createIconFinder } from "./library/program-icon.ts";
export { ProgramWatcher } from "./programs.ts";
export { gameRoutes } from "./routes.ts";
export { SenderRegistry } from "./senders.ts";
export type { ProcessLife } from "./sessions/process-life.ts";
export { exportSessions } from "./sessions/session-store.ts";
export { createGameSessions, type GameSessions } from "./sessions/sessions.ts";
export { createSourceFolders, type SourceFolders } from "./sources.ts";
