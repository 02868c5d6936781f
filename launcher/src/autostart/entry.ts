// An autostart entry: one place where the system looks for programs to start, and its state.

/** `changed`: the entry was written or changed by a person or another program. */
export type AutostartEntryState = {
  readonly state: "none" | "own" | "changed";
  /** True if the system uses the entry. */
  readonly isEnabled: boolean;
  /** True if the entry equals what Kit would write now. */
  readonly isCurrent: boolean;
};

export const absentEntry: AutostartEntryState = { state: "none", isEnabled: false, isCurrent: false };

export type AutostartEntry = {
  readonly by: "systemd" | "xdg" | "launchd" | "registry";
  readonly place: string;
  readState(): Promise<AutostartEntryState>;
  /** Call only if the entry is absent or written by Kit. */
  write(): Promise<void>;
  /** Call only if Kit wrote the entry. */
  remove(): Promise<void>;
};
