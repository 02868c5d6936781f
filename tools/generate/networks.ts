// Writes what the networks say about themselves to where pages and other programs read it: into the contract, and into the
// catalogue of the dashboard.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NetworkDescription } from "../../contract/src/accounts.ts";
import { networks } from "../../launcher/src/social/networks/networks.ts";
import { repositoryRoot } from "../check/findings.ts";
import { type GeneratedFile, writeDrifted } from "./drifted.ts";

const folder = "launcher/src/social/networks";

const description = ({ name, title, about, icon, fields, testSays, exportBytesMax }: NetworkDescription) => ({
  name,
  title,
  about,
  icon,
  fields,
  testSays,
  exportBytesMax,
});

function contractText(): string {
  const described = Object.entries(networks).map(([kind, network]) => [kind, description(network)]);
  return `// What the networks in ${folder}/ say about themselves. Written by \`npm run generate\`.
import type { NetworkDescription } from "./accounts.ts";

export const described = ${JSON.stringify(Object.fromEntries(described), undefined, 2)} as const satisfies Readonly<
  Record<string, NetworkDescription>
>;
`;
}

/** The translations of all networks. Throws if two networks translate one text differently. */
function translationsText(root: string): string {
  const merged: Record<string, string> = {};
  for (const kind of Object.keys(networks)) {
    const path = join(root, folder, kind, "ja.json");
    const own: Record<string, string> = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
    for (const [english, other] of Object.entries(own)) {
      if (Object.hasOwn(merged, english) && merged[english] !== other)
        throw new Error(`${path}: another network translates ${JSON.stringify(english)} differently`);
      merged[english] = other;
    }
  }
  return `${JSON.stringify(merged, undefined, 2)}\n`;
}

export const networkFiles = (root: string): GeneratedFile[] => [
  { path: "contract/src/networks.ts", text: contractText() },
  { path: "dashboard/src/language/networks.ja.json", text: translationsText(root) },
];

if (import.meta.main) writeDrifted(repositoryRoot, networkFiles(repositoryRoot));
