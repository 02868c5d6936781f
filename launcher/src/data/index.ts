// What the data slice offers to the wiring. The rest of the folder is private.
export { createDataService, type DataService } from "./data.ts";
export { type GameData, openAfterWipes } from "./due-wipes.ts";
export type { ExportDeps, ExportFile, ExportPart } from "./export/export.ts";
