// `node dashboard/test/icons.ts`: draws the pictures of the installed dashboard from its mark, with Chromium. They are kept in the repository.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { pathOf } from "../../tools/engines/locate.ts";

export type Icon = {
  readonly file: string;
  readonly side: number;
  /** A system cuts it to its own shape, so colour reaches each edge and the mark stays in the middle. */
  readonly maskable: boolean;
};

const root = join(import.meta.dirname, "../..");
const folder = join(root, "dashboard/public/icons");
/** As the mark's own ground. */
const ground = "#1c1d3a";
/** The mark's corners lie at nine tenths of its half side; a system may cut away what lies beyond eight. */
const insideMask = 0.8;

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
  const inner = maskable ? side * insideMask : side;
  const page = await browser.newPage({ viewport: { width: side, height: side }, deviceScaleFactor: 1 });
  try {
    await page.setContent(
      `<body style="margin:0;display:grid;place-items:center;height:${side}px;background:${maskable ? ground : "transparent"}">
       <img width="${inner}" height="${inner}" src="data:image/svg+xml;base64,${mark}"></body>`,
      { waitUntil: "load" },
    );
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
