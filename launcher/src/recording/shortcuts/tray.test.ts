// Tests of the icon in the tray: with a real tray and real clicks on X11, and the reasons why it is not shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MessageError, textOf } from "@kit/contract";
import { openJwm } from "../../../../tools/engines/jwm.ts";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { until } from "../../../test/support/until.ts";
import { connectToDisplay } from "../x11/connection.ts";
import { createIconPixels } from "./icon-pixels.ts";
import { openKeyboard } from "./test/keyboard.ts";
import { findIcon } from "./test/tray-icon.ts";
import { type ShownTrayIcon, type ShowTrayIcon, Tray } from "./tray.ts";
import { showTrayIconOnX11 } from "./x11-tray.ts";

const skip = skipWithout("Xvfb", "JWM", "ffmpeg");
const iconFile = new URL("../../../../dashboard/public/icons/kit-512.png", import.meta.url).pathname;

test("the icon is in the tray, a click on it is noticed, and it comes back when the tray does", { skip }, async (t) => {
  const screen = await openKeyboard("800x600");
  t.after(() => screen.close());
  const abort = new AbortController();
  t.after(() => abort.abort());
  // Keeps the display from resetting when the window manager leaves.
  const watcher = await connectToDisplay(screen.name, abort.signal);
  const facts = { isWanted: true, clicks: 0 };
  const tray = new Tray({
    show: showTrayIconOnX11(
      screen.name,
      createIconPixels(iconFile, async () => ({ path: pathOf("ffmpeg") })),
    ),
    isWanted: () => facts.isWanted,
    onClick() {
      facts.clicks += 1;
    },
    onChanged: () => undefined,
  });
  t.after(() => tray.stop());
  tray.apply();
  await until("the missing tray is known", async () => /no tray/.test(textOf(tray.trouble() ?? "")));
  for (let round = 1; round <= 2; round += 1) {
    const manager = await openJwm(screen.name, { tray: true });
    const icon = await until("the icon is painted in the tray", async () => {
      const found = await findIcon(watcher);
      return found !== undefined && found.colours > 10 ? found : undefined;
    });
    assert.equal(tray.trouble(), null);
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

function stage(show: ShowTrayIcon | undefined) {
  const facts = { isWanted: true };
  const tray = new Tray({
    show,
    isWanted: () => facts.isWanted,
    onClick: () => undefined,
    onChanged: () => undefined,
    retryMs: 5,
  });
  return { tray, facts, trouble: () => textOf(tray.trouble() ?? "") };
}

test("where Kit cannot show an icon, the setting says so", async () => {
  const { tray, facts, trouble } = stage(undefined);
  tray.apply();
  assert.match(trouble(), /X11 desktop/);
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
  const { tray, trouble } = stage(async ({ lost }) => {
    tries += 1;
    if (tries === 1) throw new MessageError({ code: "tray.wayland", text: "it is away", values: {} });
    lose = lost;
    return shown;
  });
  tray.apply();
  await until("it is shown", async () => tries === 2);
  assert.equal(trouble(), "");
  lose();
  await until("it is shown again", async () => tries === 3);
  await tray.stop();
  assert.equal(closed, 2);
});
