// From the bytes of a fragmented MP4, in whatever pieces they come, to its fragments.
import { type BoxSplitter, createBoxSplitter } from "./box-splitter.ts";
import { type Fragment, readFragment } from "./fragment.ts";
import { type Init, readInit } from "./init.ts";

export type FragmentReaderNeeds = {
  readonly boxBytesMax: number;
  onFragment(fragment: Fragment): void;
};

/** One per run of an encoder, or per file. Its push throws BrokenStream as a box splitter's does. */
export function createFragmentReader({ boxBytesMax, onFragment }: FragmentReaderNeeds): BoxSplitter {
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
