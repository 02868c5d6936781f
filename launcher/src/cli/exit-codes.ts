// The exit codes of `kit`, which let scripts tell failures apart.

export const exitCodes = {
  ok: 0,
  failed: 1,
  /** The command line was invalid. */
  usage: 2,
  /** No launcher of this data directory answered. */
  unreachable: 3,
  /** The launcher refused the request. */
  refused: 4,
  /** `kit doctor` found a problem, or a test failed. */
  unwell: 5,
} as const;

export const exitCodesHelp = `\
Exit codes: 0 success, 1 failure, 2 invalid command line, 3 no launcher answers,
            4 the launcher refused the request, 5 doctor found a problem`;
