// HTTP routes of forwarding.
import {
  addForwardTarget,
  changeForwardTarget,
  listForwardTargets,
  removeForwardTarget,
  testForwardTarget,
} from "@kit/contract";
import { type Route, route } from "../../http/route.ts";
import type { Targets } from "./targets.ts";

export function forwardingRoutes(targets: Targets): readonly Route[] {
  return [
    route(listForwardTargets, async () => ({ targets: await targets.list() })),
    route(addForwardTarget, ({ body }) => targets.add(body)),
    route(changeForwardTarget, ({ params, body }) => targets.change(params.id, body)),
    route(removeForwardTarget, ({ params }) => targets.remove(params.id)),
    route(testForwardTarget, ({ params }) => targets.test(params.id)),
  ];
}
