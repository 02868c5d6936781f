// Tests of Home: the best clips of the last evening, what waits, and the suggestion.
import assert from "node:assert/strict";
import { type Clip, type GameSession, listClips, listSessions } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { createFakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { playedClipOf, sessionOf } from "../../../test/session-samples.ts";

type Played = { readonly sessions?: readonly GameSession[]; readonly clips?: readonly Clip[] };

/** A launcher on which somebody has played. */
function launcherAfter({ sessions = [sessionOf(1, { game: "mygame" })], clips = [] }: Played = {}) {
  const launcher = createFakeLauncher();
  launcher.when(listSessions).reply(() => ({ sessions: [...sessions], more: false, forgotten: 0 }));
  launcher.when(listClips).reply(() => ({ clips: [...clips], more: false, bytes: 0, quotaBytes: 1e10 }));
  return launcher;
}

const regionNamed = (name: string | RegExp) => screen.findByRole("region", { name });

test("without any session Home suggests to connect a game or to play the demo", async () => {
  await openApp("");
  within(await regionNamed("Connect your game")).getByRole("link", { name: "Connect a game" });
  await screen.findByRole("button", { name: "Play the demo" });
  await assertAccessible();
});

test("someone with clips but no account is told how to share them", async () => {
  const { user } = await openApp("#/home", launcherAfter({ clips: [playedClipOf(1)] }));
  const suggestion = await regionNamed("Share your clips");
  await assertAccessible();
  await user.click(within(suggestion).getByRole("link"));
  await waitFor(() => assert.equal(location.hash, "#/accounts"));
});
