// What the demo slice offers to the wiring. The rest of the folder is private.
export { createDemo, demoRoutes } from "./demo.ts";
