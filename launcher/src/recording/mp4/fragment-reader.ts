// Reads fragments from a fragmented MP4 that arrives in chunks of any size.
import { type BoxSplitter, createBoxSplitter } from "./box-splitter.ts";
import { type Fragment, readFragment } from "./fragment.ts";
import { type Init, readInit } from "./init.ts";

export type FragmentReaderDeps = {
  readonly boxBytesMax: number;
  onFragment(fragment: Fragment): void;
};

/** Use one reader per encoder run or file. Its `push` throws BrokenStream. */
export function createFragmentReader({ boxBytesMax, onFragment }: FragmentReaderDeps): BoxSplitter {
  let init: Init | undefined;
  let moof: Uint8Array | undefined;
  return createBoxSplitter({
    boxBytesMax,
    onBox(type, bytes) {
      if (type === "moov") init = readInit(bytes);
      else if (type === "moof") moof = bytes;
      else if (type === "mdat" && init !== undefined && moof !== undefined) {
        onFragment(readFragment(init, moof, bytes));
        moof = undefined;
      }
    },
  });
}
