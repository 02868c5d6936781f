// Tests that the icons in the repository match the current mark.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../tools/engines/locate.ts";
import { drawIcon, iconPath, icons } from "./icons.ts";

/** Browsers smooth edges differently. A changed shape or colour differs far more. */
const differenceMax = 1;

/** The mean difference of the bytes of two pictures, 0 to 255. */
async function difference(browser: Browser, one: Buffer, other: Buffer): Promise<number> {
  const page = await browser.newPage();
  try {
    return await page.evaluate(
      async (pictures) => {
        const pixels = async (png: string) => {
          const picture = new Image();
          picture.src = `data:image/png;base64,${png}`;
          await picture.decode();
          const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
          canvas?.drawImage(picture, 0, 0);
          return canvas?.getImageData(0, 0, picture.width, picture.height).data ?? new Uint8ClampedArray();
        };
        const [left, right] = await Promise.all(pictures.map(pixels));
        if (left === undefined || right === undefined || left.length !== right.length) return 255;
        let sum = 0;
        for (let at = 0; at < left.length; at += 1) sum += Math.abs((left[at] ?? 0) - (right[at] ?? 0));
        return sum / left.length;
      },
      [one.toString("base64"), other.toString("base64")],
    );
  } finally {
    await page.close();
  }
}

test("each icon file matches the current mark", { skip: skipWithout("Chromium") }, async () => {
  const browser = await chromium.launch({ executablePath: pathOf("Chromium"), args: ["--no-sandbox"] });
  try {
    for (const icon of icons) {
      const apart = await difference(browser, readFileSync(iconPath(icon)), await drawIcon(browser, icon));
      assert.ok(apart <= differenceMax, `${icon.file} differs by ${apart}. Run: node dashboard/test/icons.ts`);
    }
  } finally {
    await browser.close();
  }
});
