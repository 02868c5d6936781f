// Tests of moments on a machine without a display.
import assert from "node:assert/strict";
import type { Clip, GameSession, Timeline } from "@kit/contract";
import { test } from "vitest";
import { launcherOfFile } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const launcher = await launcherOfFile();

test("without a recorder a trigger becomes a marker, which can be changed like a clip", async () => {
  await launcher.trigger("saga_treasure");
  const marker = await until("the marker is there", async () => {
    const { clips } = (await launcher.api("GET", "/api/clips")).json<{ clips: Clip[] }>();
    return clips.find(({ state, events }) => state === "marked" && events[0]?.eventId === "saga_treasure");
  });
  assert.deepEqual([marker.kind, marker.state, marker.path], ["marker", "marked", null]);
  // The receipt and the session say the same as the list of clips.
  const [event] = marker.events;
  const receipt = await launcher.receipt(event?.id ?? "");
  assert.equal(receipt.states.at(-1)?.state, "marked");
  const session = await until("the session is listed", async () => {
    const listed = await launcher.api("GET", "/api/sessions?game=saga");
    return listed.json<{ sessions: GameSession[] }>().sessions[0];
  });
  const { entries, clips } = (await launcher.api("GET", `/api/sessions/${session.id}/timeline`)).json<Timeline>();
  assert.deepEqual(
    entries.map(({ id, state, clip }) => [id, state, clip]),
    [[event?.id, "marked", marker.id]],
  );
  assert.deepEqual(
    clips.map(({ id, kind, state }) => [id, kind, state]),
    [[marker.id, "marker", "marked"]],
  );
  const path = `/api/clips/${marker.id}`;
  assert.equal((await launcher.api("PUT", path, { pinned: true })).json<Clip>().pinned, true);
  await launcher.api("DELETE", path);
  const { clips: deleted } = (await launcher.api("GET", "/api/clips?bin=true")).json<{ clips: Clip[] }>();
  assert.deepEqual(
    deleted.map(({ id }) => id),
    [marker.id],
  );
  assert.equal((await launcher.api("POST", `${path}/restore`)).json<Clip>().deletedAt, null);
});
