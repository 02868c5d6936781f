// The HTTP operations of autostart.
import { getAutostart, setAutostart } from "@kit/contract";
import { type Route, route } from "../http/route.ts";
import type { Autostart } from "./autostart.ts";

export function autostartRoutes(autostart: Autostart): readonly Route[] {
  return [route(getAutostart, autostart.state), route(setAutostart, ({ body }) => autostart.set(body.on))];
}
