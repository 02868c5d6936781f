// What other folders may import from `data`.
export { createDataService, type DataService } from "./data.ts";
export { type GameData, openAfterWipes } from "./due-wipes.ts";
export type { ExportDeps, ExportFile, ExportPart } from "./export/export.ts";
