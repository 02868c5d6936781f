// The program of `openPaintedWindow`. It ends with the process that started it.
import { fork } from "node:child_process";
import { createClient } from "x11";
import type { PaintedWindowOptions, WindowCommand } from "./painted-window.ts";

const options = JSON.parse(process.argv[2] ?? "") as PaintedWindowOptions;

/** The requests that the types of x11 lack. */
type X = {
  AllocID(): number;
  readonly atoms: Readonly<Record<string, number>>;
  CreateWindow(...words: [number, number, number, number, number, number, 0, 0, 0, 0, object]): void;
  ChangeProperty(mode: 0, window: number, name: number, type: number, format: 8, data: string): void;
  ConfigureWindow(window: number, values: object): void;
  MapWindow(window: number): void;
  RaiseWindow(window: number): void;
  DestroyWindow(window: number): void;
  ClearArea(window: number, x: number, y: number, width: number, height: number, exposures: number): void;
  InternAtom(onlyIfExists: boolean, name: string, reply: (error: unknown, atom: number) => void): void;
  SendClientMessage(to: number, window: number, type: number, format: 32, data: readonly number[]): void;
  sync(): Promise<void>;
  on(event: "error", listener: () => void): void;
};

async function openWindow({ display, title, colour, width, height, x: left = 0, y: top = 0 }: PaintedWindowOptions) {
  const { x, root } = await new Promise<{ x: X; root: number }>((resolve, reject) => {
    createClient({ display }, (error, connected) =>
      error ? reject(error) : resolve({ x: connected.client as unknown as X, root: connected.screen[0]?.root ?? 0 }),
    );
  });
  x.on("error", () => undefined);
  const atom = (name: string) => new Promise<number>((done) => x.InternAtom(false, name, (_, found) => done(found)));
  const id = x.AllocID();
  x.CreateWindow(id, root, left, top, width, height, 0, 0, 0, 0, { backgroundPixel: colour });
  x.ChangeProperty(0, id, x.atoms.WM_NAME ?? 0, x.atoms.STRING ?? 0, 8, title);
  x.MapWindow(id);
  await x.sync();
  // Paints all the time, like a game.
  setInterval(() => x.ClearArea(id, 0, 0, 0, 0, 0), 16).unref();
  return { x, root, id, atom };
}

let window = options.inChild ? undefined : await openWindow(options);
if (options.inChild) {
  const child = fork(import.meta.filename, [JSON.stringify({ ...options, inChild: false })]);
  child.once("message", () => process.send?.("shown"));
  process.once("exit", () => child.kill());
} else process.send?.("shown");

async function carryOut(command: WindowCommand): Promise<string> {
  if (command.do === "send") {
    const body = JSON.stringify({ eventId: command.eventId, timestamp: new Date().toISOString() });
    const answer = await fetch(command.url, { method: "POST", headers: { "content-type": "application/json" }, body });
    if (answer.status !== 202) throw new Error(`answered ${answer.status}`);
    return ((await answer.json()) as { id: string }).id;
  }
  if (window === undefined) return "";
  if (command.do === "reopen") window = await openWindow(options);
  const { x, root, id, atom } = window;
  if (command.do === "move") x.ConfigureWindow(id, { x: command.x, y: command.y });
  else if (command.do === "resize") x.ConfigureWindow(id, { width: command.width, height: command.height });
  else if (command.do === "raise") x.RaiseWindow(id);
  else if (command.do === "minimise") x.SendClientMessage(root, id, await atom("WM_CHANGE_STATE"), 32, [3]);
  else if (command.do === "show") x.MapWindow(id);
  else if (command.do === "close") x.DestroyWindow(id);
  else if (command.do === "fullscreen") {
    const states = [1, await atom("_NET_WM_STATE_FULLSCREEN"), 0, 1, 0];
    x.SendClientMessage(root, id, await atom("_NET_WM_STATE"), 32, states);
  }
  await x.sync();
  return "";
}

process.on("message", (command: WindowCommand) => {
  void carryOut(command).then((id) => process.send?.(id));
});
process.on("disconnect", () => process.exit(0));
