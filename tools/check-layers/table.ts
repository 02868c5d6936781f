// The layers: which folder may import which. Every folder of the tree has a row in this table.
export type Place = {
  readonly name: string;
  /** Path prefixes of the files. A prefix without a trailing slash is one file. */
  readonly holds: readonly string[];
  /** Other places that the files may import. */
  readonly mayImport: readonly string[];
  /** Set to false if Node's modules are forbidden. */
  readonly node?: false;
  /** Allowed npm packages; all declared ones if omitted. */
  readonly packages?: readonly string[];
  /** The only file that other places may import, except their tests. Any file if omitted. */
  readonly entry?: string;
};

/** Additional allowed imports of single slices. */
const more: Readonly<Record<string, readonly string[]>> = {
  autostart: ["process"],
  games: ["process"],
  recording: ["ffmpeg", "process"],
  monitor: ["outbound", "outbox", "scrub"],
  social: ["outbound", "outbox"],
};

/** Slices that other places know only by their index.ts. */
const closedSlices: readonly string[] = ["inbox", "games", "data", "demo", "autostart"];

const slice = (name: string): Place => ({
  name,
  holds: [`launcher/src/${name}/`],
  ...(closedSlices.includes(name) && { entry: `launcher/src/${name}/index.ts` }),
  mayImport: [
    "http",
    "storage",
    "log",
    "async",
    "local-time",
    "reader-language",
    "renames",
    "contract",
    ...(more[name] ?? []),
  ],
});

export const slices = ["inbox", "games", "recording", "monitor", "social", "data", "demo", "autostart"];

/** Pages of the dashboard, one folder each. */
const pages = [
  "accounts",
  "clips",
  "connect",
  "forwarding",
  "issues",
  "library",
  "live",
  "post-rules",
  "posts",
  "recorder",
  "rules",
  "sessions",
  "settings",
  "storage",
].map((name) => `pages/${name}`);

const page = (name: string): Place => ({
  name,
  holds: [`dashboard/src/${name}/`],
  mayImport: ["ui", "api", "language", "contract"],
  node: false,
});

/** The first matching place of a file counts. */
const places: readonly Place[] = [
  { name: "contract", holds: ["contract/"], mayImport: [], node: false, packages: ["typebox"] },

  { name: "main", holds: ["launcher/src/main.ts"], mayImport: ["cli", "launcher.ts", "own-files", "process"] },
  {
    name: "cli",
    holds: ["launcher/src/cli/"],
    mayImport: [
      "launcher.ts",
      "config",
      "log",
      "own-files",
      "process",
      "reader-language",
      "renames",
      "scrub",
      "secrets",
      "storage",
      "ffmpeg",
      "contract",
    ],
  },
  {
    name: "launcher.ts",
    holds: ["launcher/src/launcher.ts", "launcher/src/wiring/"],
    mayImport: [
      ...slices,
      "http",
      "outbound",
      "storage",
      "config",
      "log",
      "own-files",
      "process",
      "reader-language",
      "secrets",
      "contract",
    ],
  },
  { name: "ffmpeg", holds: ["launcher/src/recording/ffmpeg/"], mayImport: ["log", "contract"] },
  // Removes what identifies the user from forwarded reports, and from those of the command line.
  {
    name: "scrub",
    holds: ["scrub", "credentials"].map((name) => `launcher/src/monitor/forwarding/${name}.ts`),
    mayImport: [],
  },
  ...slices.map(slice),
  { name: "http", holds: ["launcher/src/http/"], mayImport: ["storage", "log", "own-files", "contract"] },
  { name: "outbound", holds: ["launcher/src/outbound/"], mayImport: ["log", "contract"] },
  {
    name: "outbox",
    holds: ["launcher/src/outbox/"],
    entry: "launcher/src/outbox/index.ts",
    mayImport: ["outbound", "storage", "async", "contract"],
  },
  {
    name: "secrets",
    holds: ["launcher/src/secrets/"],
    entry: "launcher/src/secrets/index.ts",
    mayImport: ["log", "async", "renames", "contract"],
  },
  { name: "storage", holds: ["launcher/src/storage/"], mayImport: ["log", "process", "renames", "contract"] },
  // What needs nothing but the language: queues and loops.
  { name: "async", holds: ["launcher/src/async.ts"], mayImport: [], node: false },
  {
    name: "local-time",
    holds: ["launcher/src/local-time.ts", "launcher/src/local-time.test.ts"],
    mayImport: [],
  },
  { name: "config", holds: ["launcher/src/config.ts"], mayImport: ["process", "contract"] },
  { name: "reader-language", holds: ["launcher/src/reader-language.ts"], mayImport: ["config", "contract"] },
  // Tools and tests start Kit with the same flags of Node.
  { name: "process", holds: ["launcher/src/process/"], mayImport: [] },
  // An executable unpacks itself into a private folder, and engines may be in one.
  { name: "own-files", holds: ["launcher/src/own-files.ts", "launcher/src/private-folder.ts"], mayImport: [] },
  { name: "renames", holds: ["launcher/src/renames.ts", "launcher/src/renames.test.ts"], mayImport: [] },
  { name: "log", holds: ["launcher/src/log.ts"], mayImport: ["contract"] },
  { name: "the launcher's package", holds: ["launcher/bin/"], mayImport: [] },
  // What the work of a test costs, for tests everywhere.
  { name: "costs", holds: ["tools/run-tests/cost.ts"], mayImport: [] },
  { name: "the launcher's tests", holds: ["launcher/test/"], mayImport: [] },

  { name: "soak", holds: ["launcher/soak/"], mayImport: ["storage", "contract", "engines", "the launcher's tests"] },

  { name: "dashboard's build", holds: ["dashboard/vite.config.ts"], mayImport: [] },
  // Pages never import one another. Shared code is in `ui` or `api`.
  ...pages.map(page),
  { name: "ui", holds: ["dashboard/src/ui/"], mayImport: ["api", "language", "contract"], node: false },
  { name: "api", holds: ["dashboard/src/api/"], mayImport: ["language", "contract"], node: false },
  { name: "language", holds: ["dashboard/src/language/"], mayImport: ["contract"], node: false },
  {
    name: "dashboard",
    holds: ["dashboard/"],
    mayImport: [...pages, "ui", "api", "language", "contract"],
    node: false,
  },

  {
    name: "bindings",
    holds: ["bindings/rpgmaker/KitSDK.js", "bindings/rpgmaker/demo/", "bindings/gamemaker/package/"],
    mayImport: [],
    node: false,
    packages: [],
  },
  { name: "the bindings' proof", holds: ["bindings/"], mayImport: ["bindings", "engines", "contract"] },
  { name: "engines", holds: ["tools/engines/"], mayImport: ["contract", "own-files"] },
  {
    name: "the corpus' maker",
    holds: ["tools/corpus/"],
    mayImport: ["monitor", "engines", "the bindings' proof"],
  },
  {
    name: "evening",
    holds: ["tools/evening.ts", "tools/evening/"],
    mayImport: ["contract", "engines", "the launcher's tests", "dashboard"],
  },
  {
    name: "the tests under Wine",
    holds: ["tools/bundle/windows/"],
    mayImport: ["tools", "engines", "contract", "the launcher's tests"],
  },
  {
    name: "tools",
    holds: ["tools/"],
    mayImport: [
      ...["process", "own-files", "renames", "contract", "engines", "bindings", "the bindings' proof", "conformance"],
      // What networks say about themselves is written into the contract.
      "social",
    ],
  },
  { name: "conformance", holds: ["conformance/"], mayImport: ["contract", "engines", "the launcher's tests"] },
  {
    name: "bench",
    holds: ["bench/"],
    mayImport: ["contract", "engines", "the bindings' proof", "the launcher's tests"],
  },
];

/** Additional allowed imports of a place's tests. Tests of other places may import anything. */
export const testsMayImport: Readonly<Record<string, readonly string[]>> = {
  contract: ["contract"],
  dashboard: ["dashboard", ...pages, "ui", "api", "language", "contract", "engines", "costs"],
  "the bindings' proof": ["contract"],
};

export function placeOf(path: string): Place | undefined {
  return places.find(({ holds }) => holds.some((held) => (held.endsWith("/") ? path.startsWith(held) : path === held)));
}
