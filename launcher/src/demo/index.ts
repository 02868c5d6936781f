// What other folders may import from `demo`.
export { createDemo, demoRoutes } from "./demo.ts";
