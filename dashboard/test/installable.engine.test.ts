// Tests that Chromium can install the dashboard as an app with a window of its own.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../tools/engines/locate.ts";
import { LauncherProcess } from "./launcher-process.ts";
import { eventually, openStage, waitMs } from "./stage.ts";

const skip = skipWithout("Chromium with windows");

type Manifest = {
  readonly display: string;
  readonly start_url: string;
  readonly icons: readonly { readonly src: string; readonly sizes: string; readonly purpose: string }[];
};

/** A browser with a profile on disk. Without one, Chromium can install no page. */
async function openProfile() {
  const folder = mkdtempSync(join(tmpdir(), "kit-profile-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: pathOf("Chromium with windows"),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
    headless: true,
  });
  context.setDefaultTimeout(waitMs);
  return {
    context,
    async [Symbol.asyncDispose]() {
      await context.close();
      // A process of the browser may still write into the folder.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Chromium's findings about the page: errors in the manifest, and reasons why it cannot be installed. */
async function installability(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  const { errors, data } = await devtools.send("Page.getAppManifest");
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  await devtools.detach();
  return {
    errors,
    manifest: JSON.parse(data ?? "{}") as Manifest,
    reasons: installabilityErrors.map((it) => it.errorId),
  };
}

test("Chromium finds the dashboard installable", { skip }, async () => {
  await using launcher = await LauncherProcess.start();
  await using profile = await openProfile();
  const page = await profile.context.newPage();
  await page.goto(await launcher.link());
  // Chromium may still be loading the icons.
  await eventually(async () => (await installability(page)).reasons, []);
  const { errors, manifest } = await installability(page);
  assert.deepEqual(errors, []);
  assert.deepEqual([manifest.display, manifest.start_url], ["standalone", "/"]);
});

test("Chromium finds a page without icons not installable", { skip }, async () => {
  await using launcher = await LauncherProcess.start();
  await using profile = await openProfile();
  const page = await profile.context.newPage();
  await page.route("**/icons/*", (route) => route.fulfill({ status: 404 }));
  const body = JSON.stringify({ name: "Kit", start_url: "/", display: "standalone" });
  await page.route("**/manifest.webmanifest", (route) =>
    route.fulfill({ body, contentType: "application/manifest+json" }),
  );
  await page.goto(await launcher.link());
  const isNamed = async () => (await installability(page)).reasons.includes("manifest-missing-suitable-icon");
  await eventually(isNamed, true);
});

test("the manifest and its icons have the right types, and each icon has the size that the manifest gives", {
  skip,
}, async () => {
  await using stage = await openStage();
  const at = `http://127.0.0.1:${stage.launcher.port}`;
  const answer = await fetch(`${at}/manifest.webmanifest`);
  assert.equal(answer.headers.get("content-type"), "application/manifest+json");
  const { icons } = (await answer.json()) as Manifest;
  assert.deepEqual([...new Set(icons.map(({ purpose }) => purpose))], ["any", "maskable"]);
  for (const { src, sizes } of icons) {
    const icon = await fetch(at + src);
    assert.equal(icon.headers.get("content-type"), "image/png", src);
    const png = Buffer.from(await icon.arrayBuffer());
    // The first chunk of a PNG contains its width and height.
    assert.equal(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, sizes, src);
  }
});

for (const [colorScheme, colour] of [
  ["light", "#fcfcfd"],
  ["dark", "#111113"],
] as const) {
  test(`the window has the colour of the page's background if the system is ${colorScheme}`, {
    skip,
  }, async () => {
    await using stage = await openStage({ colorScheme });
    const found = await stage.page.evaluate(() => {
      const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
      return {
        content: metas.filter(({ media }) => matchMedia(media).matches).map(({ content }) => content),
        ground: getComputedStyle(document.documentElement).backgroundColor,
      };
    });
    assert.deepEqual(found.content, [colour]);
    const parts = [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16));
    assert.equal(found.ground, `rgb(${parts.join(", ")})`);
  });
}

test("an installed app's window is signed in as soon as `kit open` opens a tab beside it", {
  skip,
}, async () => {
  await using launcher = await LauncherProcess.start();
  await using profile = await openProfile();
  const window = await profile.context.newPage();
  const tab = await profile.context.newPage();
  await window.goto(`http://127.0.0.1:${launcher.port}/`);
  await window.getByText("kit open").waitFor();
  await tab.goto(await launcher.link());
  await window.getByRole("heading", { name: "Home" }).waitFor();
});
