// Tests of the Games page: a command that Kit only observed, the links of a game, and setting one up.
import assert from "node:assert/strict";
import {
  addLibraryGame,
  changeLibraryGame,
  KitError,
  type LibraryGame,
  listLibrary,
  listRecorderSources,
  playGame,
  type RecorderSource,
} from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { clipOf } from "../../../test/clip-samples.ts";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { launcherWithClips } from "../../../test/component/fake-clips.ts";
import { fill } from "../../../test/component/fill.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { gameOf, shelf } from "../../../test/library-samples.ts";

function launcherWithGames(...given: LibraryGame[]) {
  const clips = [1, 2].map((n) => clipOf(n, { game: "lanternwood" }));
  const { launcher } = launcherWithClips({ clips });
  let games = given;
  launcher.when(listLibrary).reply(() => ({ games }));
  launcher.when(changeLibraryGame).reply(({ body: { game, name, command } }) => {
    const change = (of: LibraryGame): LibraryGame => ({
      ...of,
      ...(name !== undefined && { name: name ?? game, named: name !== null }),
      ...(command !== undefined && { command, commandFrom: command && "person" }),
    });
    games = games.map((each) => (each.game === game ? change(each) : each));
    return games.find((each) => each.game === game) ?? assert.fail(game);
  });
  launcher.when(playGame).reply(() => ({ pid: 7 }));
  return launcher;
}
const card = async (name: string | RegExp) => within(await screen.findByRole("article", { name }));
const dialogNamed = async (name: string) => within(await screen.findByRole("dialog", { name }));

test("a command that Kit only observed is shown in full, and runs after a person confirms it by keyboard", async () => {
  const launcher = launcherWithGames(...shelf());
  const { user } = await openApp("#/games", launcher);
  (await card("skyhook")).getByRole("button", { name: "Play skyhook" }).focus();
  await assertAccessible();
  await user.keyboard("{Enter}");
  const asks = "Start skyhook like this?";
  const dialog = await dialogNamed(asks);
  dialog.getByText('/games/skyhook/skyhook.x86_64 --level "cloud city"');
  await assertAccessible();
  assert.deepEqual(launcher.changes, []);
  await user.keyboard("{Escape}");
  await waitFor(() => assert.ok(!screen.queryByRole("dialog", { name: asks })));
  assert.deepEqual(launcher.changes, []);
  (await card("skyhook")).getByRole("button", { name: "Play skyhook" }).focus();
  await user.keyboard("{Enter}");
  (await dialogNamed(asks)).getByRole("button", { name: "Yes, play" }).focus();
  await user.keyboard("{Enter}");
  await screen.findByText("skyhook was started.");
  const { command } = shelf().find(({ game }) => game === "skyhook") ?? assert.fail();
  assert.deepEqual(launcher.changes, [
    `PUT /api/library ${JSON.stringify({ game: "skyhook", command })}`,
    "POST /api/library/skyhook/play",
  ]);
});

test("a game links to its clips, issues, drafts and sessions, and the demo is marked", async () => {
  await openApp("#/games", launcherWithGames(...shelf()));
  const links = (await card("Lanternwood")).getAllByRole("link").map((link) => link.getAttribute("href"));
  assert.deepEqual(links.slice(1), [
    "#/clips?game=lanternwood",
    "#/issues?game=lanternwood",
    "#/posts?state=draft&game=lanternwood",
    "#/sessions?game=lanternwood",
  ]);
  (await card(/^Kit's demo/u)).getByText("Demo");
});

const windowOf = (name: string, pid: number | null): RecorderSource => ({
  ...{ kind: "window", name, width: 1280, height: 720, pid, picture: null },
});

test("a person adds a game by choosing its window and naming it, by keyboard, without a command", async () => {
  const launcher = launcherWithGames();
  const monitor: RecorderSource = { ...windowOf("HDMI-1", null), kind: "monitor" };
  const sources = [monitor, windowOf("Lanternwood – Level 3", 41), windowOf("Chat", 42), windowOf("Foreign", null)];
  launcher.when(listRecorderSources).reply(() => ({ sources, why: null }));
  launcher.when(addLibraryGame).reply(({ body: { name } }) => {
    launcher.when(listLibrary).reply(() => ({ games: [gameOf("lanternwood", { name })] }));
    return gameOf("lanternwood", { name });
  });
  const { user } = await openApp("#/games", launcher);
  await screen.findByRole("heading", { name: "No games yet" });
  assert.ok(screen.queryByText(/npx kit/u) === null);
  await assertAccessible();
  screen.getByRole("button", { name: "Add a game" }).focus();
  await user.keyboard("{Enter}");
  const dialog = await dialogNamed("Add a game");
  await dialog.findByRole("radio", { name: /^Lanternwood/u });
  assert.equal(dialog.getAllByRole("radio").length, 2);
  const add = dialog.getByRole("button", { name: "Add this game" });
  assert.ok(add.hasAttribute("disabled"));
  await user.click(dialog.getByRole("radio", { name: /^Lanternwood/u }));
  const name = dialog.getByRole<HTMLInputElement>("textbox", { name: "Name" });
  assert.equal(name.value, "Lanternwood – Level 3");
  fill(name, "Lanternwood");
  await assertAccessible();
  launcher.refuseNext(addLibraryGame, "This program has ended, or Kit cannot see it.");
  await user.click(add);
  await dialog.findByText("This program has ended, or Kit cannot see it.");
  await user.click(add);
  await screen.findByText("Lanternwood was added. Kit records it while it runs.");
  await card("Lanternwood");
  assert.equal(launcher.changes.at(-1), 'POST /api/library {"pid":41,"name":"Lanternwood"}');
});

test("where windows cannot be listed, adding a game says why and names the other ways", async () => {
  const launcher = launcherWithGames(...shelf());
  launcher.when(listRecorderSources).reply(() => ({ sources: [], why: "Only on X11." }));
  const { user } = await openApp("#/games", launcher);
  await user.click(await screen.findByRole("button", { name: "Add a game" }));
  const dialog = await dialogNamed("Add a game");
  await dialog.findByText("Only on X11.");
  dialog.getByText("npx kit run --game my_game -- ./my_game");
  await assertAccessible();
});

test("a game gets a name and a command, the command is shown as it runs, and the change can be undone", async () => {
  const launcher = launcherWithGames(gameOf("lanternwood"));
  const { user } = await openApp("#/games", launcher);
  // Without a command, Play asks for one.
  await user.click((await card("lanternwood")).getByRole("button", { name: "Play lanternwood" }));
  const dialog = await dialogNamed("lanternwood");
  launcher.refuseNext(changeLibraryGame, "there is no file /nothing");
  fill(dialog.getByLabelText("Program"), "/nothing");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await dialog.findByText(/there is no file \/nothing/u);
  fill(dialog.getByLabelText("Name"), "Lanternwood");
  fill(dialog.getByLabelText("Program"), '"/games/lantern"');
  fill(dialog.getByLabelText("Arguments, one per line"), "--windowed\nthe first cave");
  dialog.getByText('/games/lantern --windowed "the first cave"');
  await assertAccessible();
  launcher.changes.length = 0;
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await card("Lanternwood");
  const command = { program: "/games/lantern", arguments: ["--windowed", "the first cave"], folder: "/games" };
  assert.deepEqual(launcher.changes, [
    `PUT /api/library ${JSON.stringify({ game: "lanternwood", name: "Lanternwood", command })}`,
  ]);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await screen.findByText("Undone.");
  await card("lanternwood");
  assert.equal(launcher.changes[1], 'PUT /api/library {"game":"lanternwood","name":null,"command":null}');
});

test("a game that does not start says why on its card", async () => {
  const launcher = launcherWithGames(...shelf());
  const { user } = await openApp("#/games", launcher);
  launcher.when(playGame).reply(() => {
    throw new KitError("payload_invalid", "Lanternwood was already started.");
  });
  const lantern = await card("Lanternwood");
  await user.click(lantern.getByRole("button", { name: "Play Lanternwood" }));
  await waitFor(() => assert.match(lantern.getByRole("alert").textContent ?? "", /was already started/u));
});
