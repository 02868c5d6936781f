// Writes what networks and bindings say about themselves to where pages and other programs read it: into the contract.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineDescription, NetworkDescription } from "@kit/contract";
import { bindings } from "../../bindings/bindings.ts";
import { networks } from "../../launcher/src/social/networks/networks.ts";
import { repositoryRoot } from "../check/findings.ts";
import { type GeneratedFile, writeDrifted } from "./drifted.ts";

const folders = { networks: "launcher/src/social/networks", bindings: "bindings" };

const ofNetwork = ({ name, title, about, icon, fields, testSays, exportBytesMax }: NetworkDescription) => ({
  name,
  title,
  about,
  icon,
  fields,
  testSays,
  exportBytesMax,
});
const ofEngine = ({ name, language, steps, lineStep, portStep, line }: EngineDescription) => ({
  name,
  language,
  steps,
  lineStep,
  portStep,
  line,
});

const contractText = (what: keyof typeof folders, described: readonly (readonly [kind: string, object])[]) =>
  `// Descriptions of ${what}, from their folders in ${folders[what]}/. Written by \`npm run generate\`.
export const described${what === "networks" ? "Networks" : "Bindings"} = ${JSON.stringify(Object.fromEntries(described), undefined, 2)} as const;
`;

/** The translations in all folders. Throws if two of them translate one text differently. */
function translationsText(): string {
  const merged: Record<string, string> = {};
  const all = [
    ...Object.keys(networks).map((kind) => join(folders.networks, kind)),
    ...bindings.map(({ kind }) => join(folders.bindings, kind)),
  ];
  // Unity ignores folders whose name ends with ~.
  const paths = all.flatMap((folder) =>
    ["ja.json", "conformance~/ja.json"].map((file) => join(repositoryRoot, folder, file)),
  );
  for (const path of paths.filter((each) => existsSync(each))) {
    const own: Record<string, string> = JSON.parse(readFileSync(path, "utf8"));
    for (const [english, other] of Object.entries(own)) {
      if (Object.hasOwn(merged, english) && merged[english] !== other)
        throw new Error(`${path}: another folder translates ${JSON.stringify(english)} differently`);
      merged[english] = other;
    }
  }
  return `${JSON.stringify(merged, undefined, 2)}\n`;
}

export const describedFiles = (): GeneratedFile[] => [
  {
    path: "contract/src/networks.ts",
    text: contractText(
      "networks",
      Object.entries(networks).map(([kind, network]) => [kind, ofNetwork(network)]),
    ),
  },
  {
    path: "contract/src/engines.ts",
    text: contractText(
      "bindings",
      bindings.map((each) => [each.kind, ofEngine(each)]),
    ),
  },
  { path: "contract/src/messages/described.ja.json", text: translationsText() },
];

if (import.meta.main) writeDrifted(repositoryRoot, describedFiles());
