// `node dashboard/test/icons.ts`: draws the dashboard's app icons from its mark, with Chromium, into `dashboard/public/icons`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { pathOf } from "../../tools/engines/locate.ts";

export type Icon = {
  readonly file: string;
  readonly side: number;
  /** The system cuts the icon to its own shape, so the background reaches each edge and the mark stays in the middle. */
  readonly maskable: boolean;
};

const root = join(import.meta.dirname, "../..");
const folder = join(root, "dashboard/public/icons");
/** The background colour of the mark. */
const background = "#1c1d3a";
/** The mark's corners are at nine tenths of its half side. A system may cut away everything beyond eight tenths. */
const maskableScale = 0.8;

export const icons: readonly Icon[] = [
  { file: "kit-192.png", side: 192, maskable: false },
  { file: "kit-512.png", side: 512, maskable: false },
  { file: "kit-maskable-192.png", side: 192, maskable: true },
  { file: "kit-maskable-512.png", side: 512, maskable: true },
];

export const iconPath = (icon: Icon): string => join(folder, icon.file);

/** The picture as a PNG. */
export async function drawIcon(browser: Browser, { side, maskable }: Icon): Promise<Buffer> {
  const mark = readFileSync(join(root, "dashboard/src/ui/mark.svg")).toString("base64");
  const inner = maskable ? side * maskableScale : side;
  const page = await browser.newPage({ viewport: { width: side, height: side }, deviceScaleFactor: 1 });
  try {
    await page.setContent(
      `<body style="margin:0;display:grid;place-items:center;height:${side}px;background:${maskable ? background : "transparent"}">
       <img width="${inner}" height="${inner}" src="data:image/svg+xml;base64,${mark}"></body>`,
      { waitUntil: "load" },
    );
    // A loaded picture may not be decoded yet, and would be missing from the screenshot.
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
    return await page.screenshot({ omitBackground: true, type: "png" });
  } finally {
    await page.close();
  }
}

if (import.meta.main) {
  const browser = await chromium.launch({ executablePath: pathOf("Chromium"), args: ["--no-sandbox"] });
  for (const icon of icons) writeFileSync(iconPath(icon), await drawIcon(browser, icon));
  await browser.close();
  console.log(`${icons.length} icons in dashboard/public/icons`);
}
