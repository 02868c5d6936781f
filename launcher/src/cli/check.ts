// What `kit doctor` says of one thing it looked at.

export type Check = {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do; empty when there is nothing to do. */
  readonly fix: string;
};

export const good = (name: string, detail: string): Check => ({ name, ok: true, detail, fix: "" });
export const bad = (name: string, detail: string, fix: string): Check => ({ name, ok: false, detail, fix });
