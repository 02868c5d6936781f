// What `kit` exits with, so that scripts can tell one failure from another.

export const exitCodes = {
  ok: 0,
  failed: 1,
  /** The command line itself was wrong. */
  usage: 2,
  /** No launcher of this data directory answers. */
  unreachable: 3,
  /** The launcher answered that it will not. */
  refused: 4,
  /** `doctor` found something to mend. */
  unwell: 5,
} as const;

export const exitCodesHelp = `
Exit codes:
  0  done
  1  failed
  2  the command line was wrong
  3  no launcher of this data directory answers
  4  the launcher refused
  5  doctor found something to mend`;
