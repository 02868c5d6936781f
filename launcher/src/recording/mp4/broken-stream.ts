// The error of the code that reads MP4, in a file of its own: code that only catches it does not load that code, which takes 2 MB.

/** The data are no valid MP4, or one that Kit cannot cut. The message is for the log. */
export class BrokenStream extends Error {
  override name = "BrokenStream";
}
