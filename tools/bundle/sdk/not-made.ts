// The error for packages that cannot be built on this computer.

/** Thrown if a package cannot be built here. The message says what is missing and what to do. */
export class NotMade extends Error {
  override name = "NotMade";
}

export const needsDotnet = "Needs the .NET SDK (8 or newer) on this machine, and then `npm run bundle`.";
