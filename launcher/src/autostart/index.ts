// What other folders may import from `autostart`.
export { autostartRoutes, createAutostart } from "./autostart.ts";
export { createDesktopEntry, desktopEntryRoutes } from "./desktop-entry.ts";
