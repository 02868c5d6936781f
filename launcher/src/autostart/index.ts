// What the autostart slice offers to the wiring. The rest of the folder is private.
export { autostartRoutes, createAutostart } from "./autostart.ts";
