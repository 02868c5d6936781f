// Tests that a look at clips that was in progress when a person ended forwarding sends nothing afterwards.
import assert from "node:assert/strict";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import type { ErrorClip } from "../../src/monitor/forwarding/video-queue.ts";
import { sql } from "../../src/storage/sql.ts";
import { until } from "../support/until.ts";
import { startForwardServer } from "./forwarding-server.ts";
import { reportWith } from "./monitor-folder.ts";
import { openVideoFolder, type VideoFolder } from "./video-folder.ts";

const ends: Readonly<Record<string, (folder: VideoFolder) => Promise<unknown>>> = {
  off: (folder) => folder.change(folder.id, { enabled: false }),
  remove: (folder) => folder.remove(folder.id),
  "videos off": (folder) => folder.change(folder.id, { videos: false }),
};
/** What looks at the clip: the first look decides that its video waits, the third is the last before it is sent. */
const looks = { "decides that a video waits": 1, "is the last before a video is sent": 3 } as const;

for (const [how, end] of Object.entries(ends)) {
  for (const [which, number] of Object.entries(looks)) {
    test(`a look that ${which} and is answered only after ${how} sends nothing`, async () => {
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      const none: ErrorClip = { state: "none", reason: message("footage.not_requested") };
      let watched = "";
      let looked = 0;
      let clips: VideoFolder["clips"] | undefined;
      const clipOf = async (event: string) => {
        const clip = clips?.get(event) ?? none;
        if (event === watched && clip.state === "saved") {
          looked += 1;
          if (looked === number) await answered;
        }
        return clip;
      };
      await using other = await startForwardServer();
      await using folder = await openVideoFolder({ deps: { clipOf } });
      clips = folder.clips;
      const address = folder.dsn.replace(`:${folder.server.port}/`, `:${other.port}/`);
      watched = await folder.report("No key");
      folder.save(watched);
      await until("the look is in progress", () => looked === number);
      const ended = end(folder);
      const { server } = folder;
      // The last look is a part of sending, which the end waits for. The others go on.
      if (number === 1) await ended;
      const isOn = sql`SELECT 1 FROM forward_target WHERE enabled AND videos`;
      await until("the end is stored", async () => (await folder.monitor.rows(isOn)).length === 0);
      answer();
      await ended;
      const { made, live } = server.connections();
      const { bytes } = server;
      assert.equal(how === "videos off" ? 0 : live, 0);
      // Whatever the look began is done before the video of another target, which it looks at later, arrives there.
      const { id } = await folder.add({ kind: "sentry", address, game: null });
      await folder.change(id, { videos: true });
      const next = reportWith("No door");
      folder.save(next.event.id);
      await folder.take([next]);
      await until("the other target has its video", () => other.received.some(({ video }) => video !== undefined));
      assert.deepEqual(folder.uploads(), []);
      if (how !== "videos off") assert.deepEqual([server.connections().made, server.bytes], [made, bytes]);
      assert.deepEqual(folder.failures, []);
    });
  }
}

test("off ends a request that waits for a server that hangs, while a look at the clips of a growing issue is in progress", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let isLooking = false;
  const more = { ...reportWith("No key"), sender: 2 };
  await using folder = await openVideoFolder({
    deps: {
      clipOf: async (event) => {
        if (event === more.event.id) {
          isLooking = true;
          await answered;
        }
        return { state: "pending" };
      },
    },
  });
  // Without it, the folder of a test that fails would wait for the look.
  using _ = { [Symbol.dispose]: answer };
  const { server } = folder;
  await folder.report("No key");
  await folder.take([more]);
  await until("the look is in progress", () => isLooking);
  server.holds = true;
  await folder.take([reportWith("No lamp")]);
  await until("a report is on its way", () => server.held.length === 1);
  const ended = folder.change(folder.id, { enabled: false });
  for (const request of server.held) request.resume();
  await until("the request has ended", () => server.held.every(({ socket }) => socket.destroyed));
  answer();
  await ended;
  // A request that ends by itself, after its limit, leaves an error.
  assert.equal((await folder.target()).lastError, null);
  assert.equal(server.connections().live, 0);
});
