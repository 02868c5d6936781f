// Support: a virtual display whose keyboard a test presses, and windows of other programs on it.
import { openDisplay } from "../../../../../tools/engines/display.ts";
import { type Connection, openXDisplay, query } from "../../x11/connection.ts";

type XTest = {
  readonly KeyPress: number;
  readonly KeyRelease: number;
  readonly ButtonPress: number;
  readonly ButtonRelease: number;
  readonly MotionNotify: number;
  FakeInput(type: number, keycode: number, time: number, window: number, x: number, y: number): void;
};
type OtherProgram = Connection & {
  readonly atoms: Readonly<Record<string, number>>;
  MapWindow(window: number): void;
  DestroyWindow(window: number): void;
};

/** Symbols of keys in X11. */
export const keys = { ctrl: 0xffe3, alt: 0xffe9, numLock: 0xff7f, s: 0x73, m: 0x6d, f9: 0xffc6 } as const;
type Key = keyof typeof keys;

export async function openKeyboard(size: string) {
  const screen = await openDisplay(size);
  const opened = await openXDisplay(screen.name);
  const { keycodes } = opened;
  const { root } = opened.screen;
  const x = opened.x as OtherProgram;
  const errors: Error[] = [];
  x.on("error", (error) => errors.push(error));
  const xtest = (await query<unknown>((reply) => x.require("xtest", reply))) as XTest | undefined;
  if (xtest === undefined) throw new Error("the display has no XTEST");
  const mapping = await query<readonly (readonly number[])[]>((reply) =>
    x.GetKeyboardMapping(keycodes.min, keycodes.max - keycodes.min + 1, reply),
  );
  const codeOf = (key: Key) => keycodes.min + (mapping ?? []).findIndex(([symbol]) => symbol === keys[key]);
  const atom = (name: string) => query<number>((reply) => x.InternAtom(false, name, reply)).then((found) => found ?? 0);
  const setNumbers = async (window: number, name: string, type: string, numbers: readonly number[]) => {
    const data = Buffer.alloc(numbers.length * 4);
    for (const [index, number] of numbers.entries()) data.writeUInt32LE(number, index * 4);
    x.ChangeProperty(0, window, await atom(name), await atom(type), 32, data);
    await x.sync();
  };
  return {
    name: screen.name,
    root,
    atom,
    setNumbers,
    /** Presses keys one after another, and lets them go in the opposite order. */
    async press(...pressed: readonly Key[]) {
      for (const key of pressed) xtest.FakeInput(xtest.KeyPress, codeOf(key), 0, root, 0, 0);
      for (const key of pressed.toReversed()) xtest.FakeInput(xtest.KeyRelease, codeOf(key), 0, root, 0, 0);
      await x.sync();
    },
    /** Clicks with the left button (1), or the right one (3). */
    async click(at: { readonly x: number; readonly y: number }, button: 1 | 3 = 1) {
      xtest.FakeInput(xtest.MotionNotify, 0, 0, root, at.x, at.y);
      xtest.FakeInput(xtest.ButtonPress, button, 0, root, 0, 0);
      xtest.FakeInput(xtest.ButtonRelease, button, 0, root, 0, 0);
      await x.sync();
    },
    /** Takes a hotkey as another program. */
    async take(key: Key, modifiers: number) {
      x.GrabKey(root, 0, modifiers, codeOf(key), 1, 1);
      await x.sync();
      if (errors.length > 0) throw errors[0];
    },
    async letGo(key: Key, modifiers: number) {
      x.UngrabKey(root, codeOf(key), modifiers);
      await x.sync();
    },
    async openWindow(width: number, height: number) {
      const id = x.AllocID();
      x.CreateWindow(id, root, 0, 0, width, height);
      x.MapWindow(id);
      await x.sync();
      return id;
    },
    async closeWindow(id: number) {
      x.DestroyWindow(id);
      await x.sync();
    },
    async close() {
      opened.close();
      await screen.close();
    },
  };
}

export type Keyboard = Awaited<ReturnType<typeof openKeyboard>>;
