// What a check of the self-test finds.

/** `not possible here`: this computer lacks what the check needs, so nothing is known. */
type CheckStatus = "passed" | "failed" | "not possible here";

export type Figures = Readonly<Record<string, string | number | boolean>>;

export type Outcome = {
  readonly status: CheckStatus;
  readonly figures: Figures;
  /** Why the check did not pass, and what to do. Empty if it passed. */
  readonly advice: string;
  /** A PNG that shows what was recorded: only what the self-test itself painted. */
  readonly picture?: Buffer;
};

export type CheckResult = Outcome & { readonly id: string };

export const passed = (figures: Figures, picture?: Buffer): Outcome => ({
  status: "passed",
  figures,
  advice: "",
  ...(picture && { picture }),
});
export const failed = (advice: string, figures: Figures = {}, picture?: Buffer): Outcome => ({
  status: "failed",
  figures,
  advice,
  ...(picture && { picture }),
});
export const impossible = (advice: string, figures: Figures = {}): Outcome => ({
  status: "not possible here",
  figures,
  advice,
});

/** Returns the number with one digit after the point. */
export const rounded = (number: number): number => Math.round(number * 10) / 10;
