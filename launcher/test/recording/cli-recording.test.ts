// Tests of the recording commands on a machine without a display.
import assert from "node:assert/strict";
import type { Clip, GameSession, RecorderReport, RecordingRule, Timeline } from "@kit/contract";
import { test } from "vitest";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { kitOn } from "../support/kit-command.ts";
import { launcherOfFile } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const launcher = await launcherOfFile();

const { run: own, succeeds } = kitOn(launcher);

test("kit recorder shows, sets and explains settings, and never takes a password as an argument", async () => {
  const { state, settings } = (await succeeds("recorder", "--json")).json<RecorderReport>();
  assert.equal(state.backend, null, "there is no display to capture here");
  assert.equal(settings.frameRate, 30);
  const changed = (await succeeds("recorder", "set", "frameRate", "60", "--json")).json<RecorderReport>();
  assert.equal(changed.settings.frameRate, 60);
  await succeeds("recorder", "set", "quotaBytes", "5GB");
  assert.match((await succeeds("recorder")).stdout, /quotaBytes +5000000000/);
  assert.match((await own("recorder", "set", "frameRate", "61")).stderr, /frameRate expected .*15, 20, 30, 60/);
  assert.match((await own("recorder", "set", "monitor", "")).stderr, /monitor expected/, "an empty name is no monitor");
  assert.match(
    (await own("recorder", "set", "framerate", "60")).stderr,
    /There is no setting framerate\. The settings are when,/,
  );
  const password = await own("recorder", "set", "obsPassword", "secret");
  assert.deepEqual([password.code, /kit recorder password/.test(password.stderr)], [exitCodes.usage, true]);
});

test("kit recorder rule changes a rule, and resets it to the defaults", async () => {
  const rule = (
    await succeeds("recorder", "rule", "saga_boss", "--before", "20", "--action", "screenshot", "--json")
  ).json<RecordingRule>();
  assert.deepEqual([rule.preSeconds, rule.action, rule.postSeconds, rule.changed], [20, "screenshot", 5, true]);
  assert.match((await succeeds("recorder", "rule")).stdout, /^saga_boss +screenshot +20 +5 .*yes$/m);
  assert.match((await own("recorder", "rule", "saga_boss", "--before", "soon")).stderr, /preSeconds/);
  await succeeds("recorder", "rule", "saga_boss", "--reset");
  assert.doesNotMatch((await succeeds("recorder", "rule")).stdout, /screenshot/);
});

test("without a recorder a trigger becomes a marker, which kit clips shows and kit clip can change", async () => {
  await succeeds("fire", "recording", "saga_treasure");
  const marker = await until("the marker is there", async () => {
    const clips = (await succeeds("clips", "--json")).json<Clip[]>();
    return clips.find(({ events }) => events[0]?.eventId === "saga_treasure");
  });
  assert.deepEqual([marker.kind, marker.state, marker.path], ["marker", "marked", null]);
  assert.match((await succeeds("clip", marker.id)).stdout, /a marker, without video/);
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
  assert.equal((await succeeds("clip", marker.id, "--pin", "--json")).json<Clip>().pinned, true);
  await succeeds("clip", marker.id, "--delete");
  assert.match((await succeeds("clips", "--bin")).stdout, new RegExp(marker.id));
  assert.equal((await succeeds("clip", marker.id, "--restore", "--json")).json<Clip>().deletedAt, null);
  assert.match((await succeeds("clips", "cleanup", "--quota", "1GB")).stdout, /No clip would be removed/);
  assert.equal((await own("clip", "nothing")).code, exitCodes.refused);
});
