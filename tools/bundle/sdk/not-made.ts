// Why a package is not there, said to whoever asks for it.

/** This machine cannot make it; the message says what it lacks and what to do. */
export class NotMade extends Error {
  override name = "NotMade";
}

export const needsDotnet = "Needs the .NET SDK (8 or newer) on this machine, and then `npm run bundle`.";
