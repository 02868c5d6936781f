// Collects the licences of the libraries in a bundle into one file beside it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "rolldown";

/** Name of the file. `kit licences` prints it. */
export const licencesFile = "licences.txt";

export const isLicence = (name: string) =>
  /(^|[-_])(licen[cs]e|copying|notice)/i.test(name) && !/\.[cm]?[jt]s$/.test(name);

type Manifest = {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
};

/** The MIT licence without its copyright line. */
const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge,
publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so,
subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

export type Licensed = { readonly title: string; readonly text: string };

/** Formats a package's name, version and licence. `texts` are its licence files. Throws if its licence is unknown. */
export function licenceOf(manifest: Manifest, texts: readonly string[]): Licensed {
  const title = [manifest.name, manifest.version, manifest.license && `(${manifest.license})`]
    .filter(Boolean)
    .join(" ");
  if (texts.length > 0) return { title, text: texts.map((text) => text.trim()).join("\n\n") };
  const author = typeof manifest.author === "string" ? manifest.author : manifest.author?.name;
  if (manifest.license !== "MIT" || author === undefined) {
    throw new Error(
      `${title} brings no licence text. Kit may not be passed on with it: find its text, or do without it.`,
    );
  }
  return { title, text: `Copyright (c) ${author}\n\n${mit}` };
}

/** The licence of an installed package. */
function licenceOfFolder(folder: string): Licensed {
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isLicence(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), "utf8"));
  return licenceOf(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")), texts);
}

const rule = "=".repeat(80);

export function licencesText(heading: string, licences: readonly Licensed[]): string {
  const byTitle = new Map(licences.map((each) => [each.title, each.text]));
  const parts = [...byTitle].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([title, text]) => `${title}\n\n${text}\n`);
  return [`${heading}\n`, ...parts].join(`\n${rule}\n`);
}

/** The folder of the package that contains a module, or undefined for the project's own modules. */
const packageOf = (moduleId: string): string | undefined =>
  moduleId.match(/^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/)?.[1];

/** Bundler plugin that writes Kit's licence and those of all bundled packages. Works in rolldown and Vite. */
export function gatherLicences(root: string, name: string): Plugin {
  return {
    name: "gather-licences",
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
      const folders = new Set(modules.map(packageOf).filter((folder) => folder !== undefined));
      const own = readFileSync(join(root, "LICENSE"), "utf8").trim();
      const heading = `Kit\n\n${own}\n\n${name} holds the ${folders.size} libraries below.`;
      const source = licencesText(heading, [...folders].map(licenceOfFolder));
      this.emitFile({ type: "asset", fileName: licencesFile, source });
    },
  };
}
