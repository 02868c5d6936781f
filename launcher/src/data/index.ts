// What other folders may import from `data`.
export { createDataService, type DataService } from "./data.ts";
export type { ExportDeps, ExportFile, ExportPart } from "./export.ts";
export { type GameData, openAfterWipes } from "./wipes.ts";
