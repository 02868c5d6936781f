// What a person decides about forwarding, what the server may get, and which switches may be on.
import assert from "node:assert/strict";
import {
  acceptInvitation,
  changeForwardTarget,
  type ForwardTarget,
  type Invitation,
  listForwardTargets,
  removeForwardTarget,
} from "@kit/contract";
import { invitedKey } from "../monitor/forwarding-server.ts";
import type { Life } from "./life.ts";
import type { World } from "./world.ts";

type Switches = { readonly enabled: boolean; readonly videos: boolean };
const off: Switches = { enabled: false, videos: false };

let projects = 0;

export class ForwardLedger {
  readonly #world: World;
  #targets = new Map<string, Switches>();
  #wereOn = new Set<string>();
  /** The ids of targets by their project; "new" while the launcher has not said it. */
  readonly #ids = new Map<string, string>();
  #requests: number;

  constructor(world: World) {
    this.#world = world;
    this.#requests = world.server.received.length;
  }

  async #list(life: Life): Promise<readonly ForwardTarget[]> {
    return (await life.call(listForwardTargets)).targets;
  }

  #accept(project: string, reports: boolean, videos: boolean, life: Life): Promise<ForwardTarget> {
    const address = `http://${invitedKey}@127.0.0.1:${this.#world.server.port}/${project}`;
    const asks: Invitation["asks"] = ["earlierEvents", "installation", "videos"];
    const of = { version: 1, studio: "Lantern", text: "", kind: "sentry", game: null, environment: null } as const;
    const body = { invitation: { ...of, address, asks }, reports, videos, earlierEvents: true, installation: false };
    return life.call(acceptInvitation, { body });
  }

  async switchReports(on: boolean, byInvitation: boolean, life: Life): Promise<void> {
    const [target] = await this.#list(life);
    if (target === undefined) {
      if (on) await this.#add(life);
      return;
    }
    const { id, project } = target;
    const before = this.#targets.get(id) ?? off;
    if (on) this.#targets.set(id, { ...before, enabled: true });
    if (byInvitation) await this.#accept(project ?? "", on, target.videos && on, life);
    else await life.call(changeForwardTarget, { params: { id }, body: { enabled: on } });
    if (!on) this.#targets.set(id, { enabled: false, videos: byInvitation ? false : before.videos });
  }

  async #add(life: Life): Promise<void> {
    projects += 1;
    const project = String(projects);
    this.#ids.set(project, "new");
    const { id } = await this.#accept(project, true, false, life);
    this.#ids.set(project, id);
    this.#targets.set(id, { enabled: true, videos: false });
  }

  async switchVideos(videos: boolean, life: Life): Promise<void> {
    const [target] = await this.#list(life);
    if (target === undefined) return;
    const { id } = target;
    const before = this.#targets.get(id) ?? off;
    if (videos) this.#targets.set(id, { ...before, videos });
    await life.call(changeForwardTarget, { params: { id }, body: { videos } });
    if (!videos) this.#targets.set(id, { ...before, videos });
  }

  async remove(life: Life): Promise<void> {
    const [target] = await this.#list(life);
    if (target === undefined) return;
    await life.call(removeForwardTarget, { params: { id: target.id } });
    this.#targets.delete(target.id);
  }

  async check(life: Life): Promise<void> {
    const targets = await this.#list(life);
    for (const { id, project, enabled, videos } of targets) {
      if (!this.#targets.has(id) && this.#ids.get(project ?? "") === "new")
        this.#targets.set(id, { enabled: true, videos: false });
      const agreed = this.#targets.get(id) ?? off;
      assert.ok(!enabled || agreed.enabled, "forwarding was switched off, and is on");
      assert.ok(!videos || agreed.videos, "videos were switched off, and are on");
    }
    this.#targets = new Map(targets.map(({ id, enabled, videos }) => [id, { enabled, videos }]));
    this.#checkRequests();
  }

  /** Each request since the last step went to a target that was on after that step, or is on. */
  #checkRequests(): void {
    const { received } = this.#world.server;
    for (; this.#requests < received.length; this.#requests += 1) {
      const [, project = ""] = /^\/api\/(\d+)\//.exec(received[this.#requests]?.url ?? "") ?? [];
      const id = this.#ids.get(project);
      if (id === undefined) continue;
      const isAgreed = id === "new" || this.#wereOn.has(id) || this.#targets.get(id)?.enabled;
      assert.ok(isAgreed, "a report was forwarded against the last decision");
    }
    this.#wereOn = new Set([...this.#targets].filter(([, { enabled }]) => enabled).map(([id]) => id));
  }
}
