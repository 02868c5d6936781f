// What a check of `kit doctor` finds.

export type DoctorCheck = {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What the user can do about the problem. Empty if the check passed. */
  readonly fix: string;
};

export const passed = (name: string, detail: string): DoctorCheck => ({ name, ok: true, detail, fix: "" });
export const failed = (name: string, detail: string, fix: string): DoctorCheck => ({ name, ok: false, detail, fix });
