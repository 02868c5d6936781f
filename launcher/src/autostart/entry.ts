// What the system is told to start: one place it is written to, and how that place looks now.

/** `changed`: there is something that Kit did not write, or that was changed since. */
export type Found = {
  readonly state: "none" | "own" | "changed";
  /** The system takes notice of it. */
  readonly enabled: boolean;
  /** It is what would be written now. */
  readonly current: boolean;
};

export const nothingFound: Found = { state: "none", enabled: false, current: false };

export type Entry = {
  readonly by: "systemd" | "xdg" | "launchd" | "registry";
  readonly place: string;
  look(): Promise<Found>;
  /** Only where nothing is, or what Kit wrote. */
  write(): Promise<void>;
  /** Only what Kit wrote. */
  remove(): Promise<void>;
};
