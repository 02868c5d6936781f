// Tests of the list of sessions: what each row says, older sessions, the filter, and what an empty list offers.
import assert from "node:assert/strict";
import { listClips, listSessions } from "@kit/contract";
import { screen, waitFor } from "@testing-library/react";
import { test } from "vitest";
import { clipOf } from "../../../test/clip-samples.ts";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { launcherWithSessions } from "../../../test/component/fake-sessions.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { runningOf, sessionIdOf, sessionOf } from "../../../test/session-samples.ts";

const rows = () => [...document.querySelectorAll(".session-row")];
const rowsShown = () => rows().map((row) => row.querySelector(".session-game")?.textContent);
const textOfRow = async (name: RegExp) => (await screen.findByRole("link", { name })).textContent ?? "";

test("sessions are listed newest first with their duration and ending, can be filtered by game, and are loaded page by page", async () => {
  const ended = [
    sessionOf(1, { ending: "crashed", signal: "SIGSEGV", exitCode: null, program: "lantern.x86_64" }),
    sessionOf(2, { ending: "killed", signal: "SIGKILL", exitCode: null, game: null }),
    sessionOf(3, { ending: "unseen", exitCode: null, game: "skyhook", events: 1, errors: 0, moments: 1, posts: 0 }),
  ];
  const older = Array.from({ length: 40 }, (_, n) => sessionOf(n + 10));
  const { launcher } = launcherWithSessions();
  launcher.when(listSessions).reply(({ query: { game, before } }) => {
    if (game !== undefined) return { sessions: ended.slice(2), more: false, forgotten: 3 };
    if (before === undefined) return { sessions: [runningOf(0), ...ended], more: true, forgotten: 3 };
    return { sessions: older, more: false, forgotten: 3 };
  });
  const { user } = await openApp("#/sessions", launcher);
  await textOfRow(/Running/u);
  const crashed = await textOfRow(/Crashed: SIGSEGV/u);
  assert.ok(crashed.includes("50 min") && crashed.includes("lantern.x86_64"), crashed);
  const killed = await textOfRow(/Killed: SIGKILL/u);
  assert.ok(killed.includes("Unsorted") && killed.includes("60 errors"), killed);
  assert.match(await textOfRow(/Ended while Kit was off/u), /1 moment/u);
  assert.deepEqual(rowsShown(), ["Lanternwood", "Lanternwood", "Unsorted", "Skyhook"]);
  await assertAccessible();
  await user.click(screen.getByRole("button", { name: "Show older" }));
  await waitFor(() => assert.equal(rows().length, 44));
  assert.ok(launcher.asked.includes(`/api/sessions?limit=30&before=${sessionIdOf(3)}`));
  screen.getByText("3 older sessions were deleted to free up space.");
  await user.selectOptions(screen.getByRole("combobox", { name: "Game" }), "skyhook");
  await waitFor(() => assert.deepEqual(rowsShown(), ["Skyhook"]));
  assert.equal(location.hash, "#/sessions?game=skyhook");
  assert.ok(launcher.asked.includes("/api/sessions?game=skyhook&limit=30"));
});

test("a session with clips shows the picture of its best clip in the list, and one without an empty frame", async () => {
  const sessions = [sessionOf(1, { game: "mygame" }), sessionOf(2, { game: "skyhook" })];
  const { launcher } = launcherWithSessions({ sessions });
  launcher.when(listClips).reply(({ query: { game } }) => {
    const clips = game === "mygame" ? [clipOf(2), clipOf(1)] : [];
    return { clips, more: false, bytes: 0, quotaBytes: 1 };
  });
  await openApp("#/sessions", launcher);
  const pictures = () =>
    [...document.querySelectorAll(".session-row .small-poster")].map((frame) =>
      [...frame.children].map((child) => child.getAttribute("src")?.replace(/\?.*/u, "")),
    );
  await waitFor(() => assert.deepEqual(pictures(), [[`/api/clips/${clipOf(2).id}/poster`], []]));
  const { startedAt, endedAt } = sessions[0] ?? assert.fail();
  const best = "kind=clip&state=saved&subject=highlight&sort=best&limit=40";
  const span = new URLSearchParams({ from: startedAt, to: endedAt ?? "", game: "mygame" });
  assert.ok(launcher.asked.includes(`/api/clips?${best}&${span}`), launcher.asked.join("\n"));
});

test("without any session the page explains how to get one, and without one of a game it offers the others", async () => {
  const { launcher, kept } = launcherWithSessions();
  const { user } = await openApp("#/sessions", launcher);
  await screen.findByRole("heading", { name: "No sessions yet" });
  screen.getByText("npx kit run -- ./mygame");
  await assertAccessible();
  kept.sessions = [sessionOf(1)];
  launcher.tell("sessions");
  await waitFor(() => assert.deepEqual(rowsShown(), ["Lanternwood"]));
  await user.selectOptions(screen.getByRole("combobox", { name: "Game" }), "unsorted");
  await screen.findByRole("heading", { name: "No sessions of this game" });
  await user.click(screen.getByRole("button", { name: "Show all sessions" }));
  await waitFor(() => assert.deepEqual(rowsShown(), ["Lanternwood"]));
});
