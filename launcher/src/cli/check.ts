// The result of one `kit doctor` check.

export type Check = {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What the user can do; empty if the check passed. */
  readonly fix: string;
};

export const passed = (name: string, detail: string): Check => ({ name, ok: true, detail, fix: "" });
export const failed = (name: string, detail: string, fix: string): Check => ({ name, ok: false, detail, fix });
