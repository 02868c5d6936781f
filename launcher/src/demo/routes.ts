// The HTTP operations of the demo.
import { getDemo, startDemo, startDemoWebhook, stopDemo } from "@kit/contract";
import { type Route, route } from "../http/route.ts";
import type { DemoGame } from "./demo.ts";

export const demoRoutes = (demo: DemoGame): readonly Route[] => [
  route(getDemo, demo.state),
  route(startDemo, demo.start),
  route(stopDemo, demo.end),
  route(startDemoWebhook, async () => ({ url: await demo.webhookUrl() })),
];
