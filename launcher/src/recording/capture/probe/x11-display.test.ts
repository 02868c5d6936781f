// Tests of the X display: windows are found by title on a real X server, with and without a window manager's frames.
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, test } from "vitest";
import { type Client, createClient, type Screen } from "x11";
import { type Display, openDisplay } from "../../../../../tools/engines/display.ts";
import { skipWithout } from "../../../../../tools/engines/locate.ts";
import { findWindowByTitle } from "../../x11/screen.ts";
import { readXDisplay } from "./source.ts";

const skip = skipWithout("Xvfb");
const stringType = 31;
const wmName = 39;
let display: Display;
let client: Client;
let screen: Screen;

beforeAll(async () => {
  if (skip) return;
  display = await openDisplay("800x600");
  // Stays connected to the end, because a server resets when its last client leaves.
  await new Promise<void>((resolve, reject) => {
    client = createClient({ display: display.name }, (error, { screen: screens }) => {
      screen = screens[0] as Screen;
      if (error) reject(error);
      else resolve();
    });
  });
});
afterAll(async () => {
  client?.on("error", () => undefined);
  await display?.close();
});

type Place = { readonly parent?: number; readonly size?: readonly [number, number]; readonly hidden?: boolean };

function open(
  title: string | undefined,
  { parent = screen.root, size: [width, height] = [300, 200], hidden }: Place = {},
): number {
  const id = client.AllocID();
  client.CreateWindow(id, parent, 0, 0, width, height);
  if (title !== undefined) client.ChangeProperty(0, id, wmName, stringType, 8, title);
  if (!hidden) client.MapWindow(id);
  return id;
}

const find = async (part: string) => (await readXDisplay(display.name, part)).window;

test("the screen's size is always returned, a window only on request", { skip }, async () => {
  open("Unasked");
  assert.deepEqual(await readXDisplay(display.name, null), {
    monitor: { name: "screen", x: 0, y: 0, width: 800, height: 600 },
    isMissing: false,
    spansMore: false,
    isXwayland: false,
    window: undefined,
  });
});

test("part of the title finds a window, ignoring case", { skip }, async () => {
  const id = open("Castle of Tests - level 3");
  await client.sync();
  assert.deepEqual(await find("OF tests"), { id, title: "Castle of Tests - level 3", width: 300, height: 200 });
  assert.equal(await find("Castle of Gold"), undefined);
});

test("a window inside the frame of a window manager is found", { skip }, async () => {
  const frame = open(undefined, { size: [320, 260] });
  const id = open("Framed game", { parent: open(undefined, { parent: frame }) });
  await client.sync();
  assert.equal((await find("framed"))?.id, id);
});

test("the largest visible window of several is the game", { skip }, async () => {
  open("Puzzle (loading)", { size: [100, 100] });
  const game = open("Puzzle", { size: [640, 480] });
  open("Puzzle settings", { size: [700, 500], hidden: true });
  open("Puzzle tip", { size: [750, 20] });
  await client.sync();
  assert.equal((await find("puzzle"))?.id, game);
});

test("_NET_WM_NAME precedes WM_NAME, and the title is made printable", { skip }, async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  (
    client as unknown as {
      InternAtom(existing: boolean, name: string, reply: (error: unknown, atom: number) => void): void;
    }
  ).InternAtom(false, "_NET_WM_NAME", (_error, atom) => resolve(atom));
  const id = open("Zauber?");
  const data = Buffer.from("Zauberwürfel 日本\u001b[31m\u202e", "utf8");
  client.ChangeProperty(0, id, await promise, stringType, 8, data as unknown as string);
  await client.sync();
  assert.equal((await find("würfel 日本"))?.title, "Zauberwürfel 日本 [31m");
});

test("a missing or silent display is an error after a timeout", { skip }, async () => {
  await assert.rejects(readXDisplay("localhost:7999", "x"));
  await assert.rejects(readXDisplay("no display", "x"), /Cannot parse display/);
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  await assert.rejects(readXDisplay(`127.0.0.1:${port - 6_000}`, null, { timeoutMs: 200 }), /did not answer/);
  silent.close();
});

test("the outer one of equal windows is chosen", () => {
  const window = (id: number, width: number) => ({ id, title: "Game", width, height: 400 });
  assert.equal(findWindowByTitle([window(1, 400), window(2, 400), window(3, 300)], "game")?.id, 1);
  assert.equal(findWindowByTitle([], "game"), undefined);
});
