// Tests of the icon in the tray: with a real tray and real clicks on X11, and the reasons why it is not shown.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { MessageError, textOf } from "@kit/contract";
import { createClient, defineInterface } from "dbus-native";
import { test } from "vitest";
import { openJwm } from "../../../../tools/engines/jwm.ts";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { openPrivateBus } from "../../../../tools/engines/private-bus.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { until } from "../../../test/support/until.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { connectToDisplay } from "../x11/connection.ts";
import { readIcon } from "./icon-pixels.ts";
import { itemInterface, showTrayIconOnBus, watcher, watcherPath } from "./status-notifier.ts";
import { openKeyboard } from "./test/keyboard.ts";
import { findIcon } from "./test/tray-icon.ts";
import { type ShownTrayIcon, type ShowTrayIcon, Tray } from "./tray.ts";
import { showTrayIconOnX11 } from "./x11-tray.ts";

const skip = skipWithout("Xvfb", "JWM");
const iconFile = new URL("../../../../dashboard/public/icons/kit-512.png", import.meta.url).pathname;

const pixels = () => readIcon(iconFile);

function openTray(show: ShowTrayIcon | undefined, retryMs?: number) {
  const facts = { isWanted: true, clicks: 0 };
  const tray = new Tray({
    show,
    isWanted: () => facts.isWanted,
    onClick() {
      facts.clicks += 1;
    },
    menu: () => [],
    onChanged: () => undefined,
    ...(retryMs !== undefined && { retryMs }),
  });
  return { tray, facts, trouble: () => textOf(tray.trouble() ?? "") };
}

test("the icon is in the tray, a click on it is noticed, and it comes back when the tray does", { skip }, async (t) => {
  const screen = await openKeyboard("800x600");
  t.onTestFinished(() => screen.close());
  const abort = new AbortController();
  t.onTestFinished(() => abort.abort());
  // Keeps the display from resetting when the window manager leaves.
  const watcher = await connectToDisplay(screen.name, abort.signal);
  const { tray, facts } = openTray(
    showTrayIconOnX11(screen.name, pixels, () => Promise.reject(new Error("no Wayland"))),
  );
  t.onTestFinished(() => tray.stop());
  tray.apply();
  await until("the missing tray is known", async () => /no tray/.test(textOf(tray.trouble() ?? "")));
  for (let round = 1; round <= 2; round += 1) {
    const manager = await openJwm(screen.name, { tray: true });
    const icon = await until("the icon is painted in the tray", async () => {
      const found = await findIcon(watcher);
      return found !== undefined && found.colours > 10 ? found : undefined;
    });
    await until("the icon is known to be shown", async () => tray.trouble() === null);
    await screen.click(icon.centre);
    await until("the click is noticed", async () => facts.clicks === round);
    if (round === 2) {
      facts.isWanted = false;
      tray.apply();
      await until("the icon is gone", async () => (await findIcon(watcher)) === undefined);
    }
    await manager.close();
    if (round === 1) await until("the lost tray is known", async () => tray.trouble() !== null);
  }
});

test("Kit draws its icon as ffmpeg would, without another program, so that no game delays it", {
  skip: skipWithout("ffmpeg"),
}, async () => {
  const drawn = await pixels();
  for (const size of [16, 24, 48, 256]) {
    const scaled = ["-vf", `scale=${size}:${size}:flags=area`, "-pix_fmt", "bgra", "-f", "rawvideo", "pipe:1"];
    const { stdout } = await runFfmpeg({ path: pathOf("ffmpeg") }, ["-v", "error", "-i", iconFile, ...scaled], {
      outBytesMax: size * size * 4,
    });
    const own = drawn(size);
    assert.equal(own.length, stdout.length);
    const differences = own.map((byte, at) => (own[at | 3] === 0 ? 0 : Math.abs(byte - (stdout[at] ?? 0))));
    const mean = differences.reduce((sum, one) => sum + one, 0) / own.length;
    assert.ok(mean < 1, `${size} pixels: ${mean}`);
  }
});

/** The part of a Wayland desktop that lists icons. Other programs of the test ask for an icon and click on it. */
async function openTrayOnBus(address: string) {
  const items: string[] = [];
  const bus = createClient({ busAddress: address });
  const RegisterStatusNotifierItem = {
    in: { item: "s" },
    handler: ({ item }: { item: string }) => void items.push(item),
  };
  await bus.export(watcherPath, defineInterface({ name: watcher, methods: { RegisterStatusNotifierItem } }));
  await bus.requestName(watcher, 0);
  return { items, close: () => bus.close() };
}

test("on Wayland, the desktop gets the icon and its clicks from the session bus, also after its tray came back", {
  skip: skipWithout("GNOME Keyring"),
}, async (t) => {
  const bus = await openPrivateBus(temporaryFolder("tray", t), process.env);
  t.onTestFinished(() => bus.close());
  const { tray, facts } = openTray(showTrayIconOnBus(bus.address, pixels));
  t.onTestFinished(() => tray.stop());
  const send = async (item: string, ...words: readonly string[]) => {
    const to = [`--bus=${bus.address}`, "--print-reply=literal", `--dest=${item}`, "/StatusNotifierItem"];
    return (await promisify(execFile)("dbus-send", [...to, ...words])).stdout;
  };
  tray.apply();
  await until("the missing tray is known", async () => /no tray/.test(textOf(tray.trouble() ?? "")));
  for (let round = 1; round <= 2; round += 1) {
    const desktop = await openTrayOnBus(bus.address);
    await until("the icon is in the tray", async () => desktop.items.length > 0 && tray.trouble() === null);
    const [item = ""] = desktop.items;
    const properties = await send(item, "org.freedesktop.DBus.Properties.GetAll", `string:${itemInterface}`);
    assert.match(properties, /Category\s+variant\s+ApplicationStatus/);
    // The opaque middle of the smaller icon: Kit's orange, as alpha, red, green, blue.
    assert.match(properties, /(?:ff ff 8a 4c ){4}/);
    await send(item, `${itemInterface}.Activate`, "int32:1", "int32:2");
    assert.equal(facts.clicks, round);
    await assert.rejects(send(item, `${itemInterface}.Explode`), /UnknownMethod/);
    if (round === 2) {
      facts.isWanted = false;
      tray.apply();
      await until("the icon is gone", () =>
        send(item, `${itemInterface}.Activate`).then(
          () => false,
          () => true,
        ),
      );
    }
    await desktop.close();
    if (round === 1) await until("the lost tray is known", async () => tray.trouble() !== null);
  }
});

test("where Kit cannot show an icon, the setting says so", async () => {
  const { tray, facts, trouble } = openTray(undefined);
  tray.apply();
  assert.match(trouble(), /Linux desktop/);
  facts.isWanted = false;
  assert.equal(trouble(), "");
  await tray.stop();
});

test("an icon that fails or is lost is shown again", async () => {
  let tries = 0;
  let closed = 0;
  let lose = () => {};
  const shown: ShownTrayIcon = {
    hasTray: () => true,
    close() {
      closed += 1;
    },
  };
  const { tray, trouble } = openTray(async ({ lost }) => {
    tries += 1;
    if (tries === 1) throw new MessageError({ code: "tray.no_bus", text: "it is away", values: {} });
    lose = lost;
    return shown;
  }, 5);
  tray.apply();
  await until("it is shown", async () => tries === 2);
  assert.equal(trouble(), "");
  lose();
  await until("it is shown again", async () => tries === 3);
  await tray.stop();
  assert.equal(closed, 2);
});
