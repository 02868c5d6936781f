// Tests of capture sources: those of each system, and the message if there is none.

import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { test } from "vitest";
import { findSoundSources } from "./sound-source.ts";
import { type CaptureSourceRequest, chooseMonitor, findCaptureSources, type XDisplay } from "./source.ts";

const seen: XDisplay = {
  monitor: { x: 1920, y: 0, width: 2560, height: 1440 },
  isMissing: false,
  spansMore: true,
  isXwayland: false,
  window: { id: 0x2a, title: "The game", width: 800, height: 600 },
};
const wish: CaptureSourceRequest = {
  platform: "linux",
  display: ":0",
  wayland: false,
  window: null,
  monitor: null,
  listDevices: async () => "",
  features: async () => ({ filters: new Set(["ddagrab", "gfxcapture"]), devices: new Set(["gdigrab"]) }),
  hasWindowHandles: true,
  readXDisplay: async (_display, part) => ({ ...seen, window: part === null ? undefined : seen.window }),
};
const game = { id: 0x5002c, pid: 7, title: "The Game", x: 8, y: 31, width: 800, height: 600, isShown: true };
const left = { id: 7, name: "DISPLAY2", isPrimary: false, x: -1_280, y: 56, width: 1_280, height: 1_023 };
const main = { id: 9, name: "DISPLAY1", isPrimary: true, x: 0, y: 0, width: 1_920, height: 1_080 };
const windowsDesktop = {
  listWindows: async () => [game],
  listMonitors: async () => [left, main],
  isScreenFilled: async () => false,
  copyFiles: async () => "refused" as const,
};
const find = (changed: Partial<CaptureSourceRequest>) => findCaptureSources({ ...wish, ...changed });
const refusalOf = async (changed: Partial<CaptureSourceRequest>) => {
  const found = await find(changed);
  assert.ok("refused" in found);
  return textOf(found.refused);
};

test("on X11, the source is the first monitor, or the window with the title that is set", async () => {
  assert.deepEqual(await find({}), {
    sources: [
      {
        input: { kind: "x11-screen", display: ":0", x: 1920, y: 0 },
        size: { width: 2560, height: 1440 },
        name: "screen :0, first monitor",
      },
    ],
  });
  assert.deepEqual(await find({ window: "game" }), {
    sources: [
      {
        input: { kind: "x11-window", display: ":0", window: 0x2a },
        size: { width: 800, height: 600 },
        name: 'window "The game"',
      },
    ],
  });
});

test("a missing window is never replaced by the whole screen", async () => {
  const lookAt = async () => ({ ...seen, window: undefined });
  assert.match(
    await refusalOf({ window: "other", readXDisplay: lookAt }),
    /No visible window has "other" in its title/,
  );
  assert.match(
    await refusalOf({ platform: "win32", window: "other", windowsDesktop }),
    /No visible window has "other" in its title/,
  );
  assert.match(await refusalOf({ platform: "darwin", window: "other" }), /single window on macOS. Start OBS/);
});

test("Wayland, with or without Xwayland, needs OBS", async () => {
  assert.match(
    await refusalOf({ display: undefined, wayland: true }),
    /cannot capture a Wayland session. Start OBS .*gpu-screen-recorder/,
  );
  const lookAt = async () => ({ ...seen, isXwayland: true });
  assert.match(await refusalOf({ readXDisplay: lookAt }), /Wayland session.* by its window's title/);
  assert.ok("sources" in (await find({ readXDisplay: lookAt, window: "game" })), "an X11 game can be captured there");
});

test("the message for no session, and for a display that cannot be opened, names what is missing", async () => {
  assert.match(await refusalOf({ display: undefined }), /no screen here to record/);
  assert.match(await refusalOf({ display: "" }), /no screen here to record/);
  const lookAt = () => Promise.reject(new Error("connect ECONNREFUSED"));
  assert.match(await refusalOf({ readXDisplay: lookAt }), /:0 cannot be opened \(connect ECONNREFUSED\)/);
});

const inputsOf = async (changed: Partial<CaptureSourceRequest>) => {
  const found = await find({ platform: "win32", display: undefined, ...changed });
  assert.ok("sources" in found);
  return found.sources.map(({ input }) => input);
};

test("on Windows, newer inputs are tried before GDI, and only those that the ffmpeg has", async () => {
  assert.deepEqual(await inputsOf({}), [
    { kind: "ddagrab" },
    { kind: "gfxcapture", window: null },
    { kind: "gdigrab", window: null },
  ]);
  const features = async () => ({ filters: new Set<string>(), devices: new Set(["gdigrab"]) });
  assert.deepEqual(await inputsOf({ features }), [{ kind: "gdigrab", window: null }]);
  const none = {
    platform: "win32",
    features: async () => ({ filters: new Set<string>(), devices: new Set<string>() }),
  };
  assert.match(
    await refusalOf(none as Partial<CaptureSourceRequest>),
    /without ddagrab, gfxcapture, gdigrab; ffmpeg 8\.1/,
  );
});

test("on Windows, a window is captured by its handle, or by its title where it has no other name", async () => {
  const byHandle = [
    { kind: "gfxcapture", window: 0x5002c },
    { kind: "gdigrab", window: 0x5002c },
  ];
  assert.deepEqual(await inputsOf({ window: "the game", windowsDesktop }), byHandle);
  assert.deepEqual(await inputsOf({ followed: game }), byHandle);
  assert.deepEqual(await inputsOf({ followed: game, hasWindowHandles: false }), [
    { kind: "gfxcapture", window: 0x5002c },
    { kind: "gdigrab", window: "The Game" },
  ]);
  assert.deepEqual(await inputsOf({ window: "game" }), [
    { kind: "gfxcapture", window: "game" },
    { kind: "gdigrab", window: "game" },
  ]);
});

test("on Windows, the monitor that is chosen is captured, and Desktop Duplication only captures the primary one", async () => {
  const ofLeft = [
    { kind: "gfxcapture", window: null, monitor: 7 },
    { kind: "gdigrab", window: null, area: { x: -1_280, y: 56, width: 1_280, height: 1_023 } },
  ];
  const ofMain = [
    { kind: "ddagrab" },
    { kind: "gfxcapture", window: null, monitor: 9 },
    { kind: "gdigrab", window: null, area: { x: 0, y: 0, width: 1_920, height: 1_080 } },
  ];
  assert.deepEqual(await inputsOf({ monitor: "DISPLAY2", windowsDesktop }), ofLeft);
  assert.deepEqual(await inputsOf({ monitor: "DISPLAY1", windowsDesktop }), ofMain);
  assert.deepEqual(await inputsOf({ windowsDesktop }), ofMain, "the primary one, where there are several");
  const lost = { ...windowsDesktop, listMonitors: () => Promise.reject(new Error("no answer")) };
  assert.equal(
    (await inputsOf({ windowsDesktop: lost })).length,
    3,
    "without a list, the screen is recorded as before",
  );
  const found = await find({ platform: "win32", monitor: "DISPLAY2", windowsDesktop });
  assert.equal("sources" in found && found.sources[0]?.name, "monitor DISPLAY2");
  assert.deepEqual("sources" in found && found.sources[0]?.listedSize, { width: 1_280, height: 1_023 });
});

test("a monitor that is chosen and not connected is replaced by exactly the primary one, with the reason", async () => {
  const onX11 = await find({ monitor: "HDMI-2", readXDisplay: async () => ({ ...seen, isMissing: true }) });
  const onWindows = await find({ platform: "win32", monitor: "DISPLAY3", windowsDesktop });
  assert.ok("sources" in onX11 && "sources" in onWindows);
  assert.deepEqual(
    [...onX11.sources, ...onWindows.sources].map(({ input, name }) => [name, input]),
    [
      ["screen :0, first monitor", { kind: "x11-screen", display: ":0", x: 1920, y: 0 }],
      ["first monitor", { kind: "ddagrab" }],
      ["first monitor", { kind: "gfxcapture", window: null, monitor: 9 }],
      ["first monitor", { kind: "gdigrab", window: null, area: { x: 0, y: 0, width: 1_920, height: 1_080 } }],
    ],
  );
  for (const { warning } of [...onX11.sources, ...onWindows.sources])
    assert.match(textOf(warning ?? ""), /^The monitor (HDMI-2|DISPLAY3) is not connected, so .* primary/);
  const unlisted = { ...windowsDesktop, listMonitors: async () => [] };
  const without = { platform: "win32", monitor: "DISPLAY3", windowsDesktop: unlisted } as const;
  assert.match(await refusalOf(without), /DISPLAY3 is not connected/, "all monitors together are nobody's choice");
});

test("on X11, the primary monitor is recorded, or the first one where none is primary, never all together", () => {
  const [main, side] = ["HDMI-1", "DP-1"].map((name, i) => ({ name, x: i * 800, y: 0, width: 800, height: 600 }));
  const whole = { x: 0, y: 0, width: 1_600, height: 600 };
  assert.ok(main && side);
  assert.deepEqual(chooseMonitor([main, side], null, whole), { monitor: main, isMissing: false });
  assert.deepEqual(chooseMonitor([main, side], "DP-1", whole), { monitor: side, isMissing: false });
  assert.deepEqual(chooseMonitor([main, side], "DP-9", whole), { monitor: main, isMissing: true });
  assert.deepEqual(chooseMonitor([], null, whole), { monitor: whole, isMissing: false }, "a screen without monitors");
});

test("on Windows, the sources of a window and of the only monitor have the size that Windows lists", async () => {
  const sizesOf = async (changed: Partial<CaptureSourceRequest>) => {
    const found = await find({ platform: "win32", ...changed });
    return "sources" in found ? found.sources.map(({ size, listedSize }) => [size, listedSize]) : assert.fail();
  };
  const ofGame = [null, { width: 800, height: 600 }];
  assert.deepEqual(await sizesOf({ window: "game", windowsDesktop }), [ofGame, ofGame]);
  assert.deepEqual(await sizesOf({ followed: game, windowsDesktop }), [ofGame, ofGame]);
  const alone = { ...windowsDesktop, listMonitors: async () => [main] };
  const ofScreen = [null, { width: 1_920, height: 1_080 }];
  assert.deepEqual(await sizesOf({ windowsDesktop: alone }), [ofScreen, ofScreen, ofScreen]);
  assert.deepEqual(await inputsOf({ windowsDesktop: alone }), await inputsOf({}), "its place need not be named");
});

const macDevices = `[AVFoundation indev @ 0x7f8] AVFoundation video devices:
[AVFoundation indev @ 0x7f8] [0] FaceTime HD Camera
[AVFoundation indev @ 0x7f8] [1] Capture screen 0
[AVFoundation indev @ 0x7f8] [2] Capture screen 1
[AVFoundation indev @ 0x7f8] AVFoundation audio devices:
[AVFoundation indev @ 0x7f8] [0] MacBook Pro Microphone
[AVFoundation indev @ 0x7f8] [1] BlackHole 2ch
: Input/output error`;

test("on macOS, the source is the first listed screen; without one, the message says what to allow", async () => {
  const found = await find({ platform: "darwin", listDevices: async () => macDevices });
  assert.ok("sources" in found);
  assert.deepEqual(
    found.sources.map(({ input }) => input),
    [{ kind: "avfoundation", screen: "Capture screen 0" }],
  );
  assert.match(await refusalOf({ platform: "darwin" }), /Screen Recording/);
});

const windowsDevices = `[dshow @ 000001] "Integrated Camera" (video)
[dshow @ 000001]   Alternative name "@device_pnp_\\\\?\\usb#vid"
[dshow @ 000001] "Microphone (Realtek(R) Audio)" (audio)
[dshow @ 000001]   Alternative name "@device_cm_{33D9}\\wave_{A1}"
[dshow @ 000001] "Stereomix (Realtek(R) Audio)" (audio)
[dshow @ 000001]   Alternative name "@device_cm_{33D9}\\wave_{B2}"
dummy: Immediate exit requested`;

test("sound comes from a loopback device, never from a microphone", async () => {
  const linux = await findSoundSources("linux", async () => "");
  assert.deepEqual(
    linux.sources.map(({ input }) => input),
    [{ kind: "pulse", device: "@DEFAULT_MONITOR@" }],
  );
  const windows = await findSoundSources("win32", async () => windowsDevices);
  assert.deepEqual(windows.sources, [
    { input: { kind: "dshow", device: "@device_cm_{33D9}\\wave_{B2}" }, name: "Stereomix (Realtek(R) Audio)" },
  ]);
  const mac = await findSoundSources("darwin", async () => macDevices);
  assert.deepEqual(mac.sources, [{ input: { kind: "avfoundation", device: "BlackHole 2ch" }, name: "BlackHole 2ch" }]);
});

test("without a loopback device, the message says what to install", async () => {
  const withoutMix = windowsDevices.replaceAll("Stereomix", "Line");
  assert.match(textOf((await findSoundSources("win32", async () => withoutMix)).why), /Stereo Mix/);
  assert.deepEqual((await findSoundSources("win32", async () => withoutMix)).sources, []);
  assert.match(textOf((await findSoundSources("darwin", async () => "")).why), /BlackHole/);
});

test("on X11, the source of a monitor that is chosen has its name", async () => {
  const found = await find({ monitor: "HDMI-1" });
  assert.ok("sources" in found);
  assert.equal(found.sources[0]?.name, "screen :0, monitor HDMI-1");
});
