// HTTP routes of kit.events.json.
import { exportEventsFile, importEventsFile } from "@kit/contract";
import { type Route, route } from "../../http/route.ts";
import type { EventsFiles } from "./events-file.ts";

export const eventsFileRoutes = (files: EventsFiles): readonly Route[] => [
  route(exportEventsFile, ({ query }) => files.export(query.game)),
  route(importEventsFile, ({ body, query }) => files.import(body, query)),
];
