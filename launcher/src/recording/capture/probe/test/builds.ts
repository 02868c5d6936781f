// Support: the supported ffmpeg builds on this machine, from the oldest to the newest.
import { textOf } from "@kit/contract";
import { enginesRequired, pathOf, skipWithout } from "../../../../../../tools/engines/locate.ts";
import type { Ffmpeg } from "../../../ffmpeg/find.ts";
import { findFfmpeg } from "../../../ffmpeg/find.ts";

export type Build = {
  readonly name: string;
  /** For a test's `skip`. */
  readonly skip: boolean;
  readonly find: () => Promise<Ffmpeg>;
};

async function found(chosen: string | undefined): Promise<Ffmpeg> {
  const { ffmpeg, says } = await findFfmpeg({ chosen, searchPath: "", usualPlaces: [] });
  if (ffmpeg === undefined) throw new Error(textOf(says));
  return ffmpeg;
}

const nothing = { chosen: undefined, searchPath: "", usualPlaces: [] };

export const builds: readonly Build[] = [
  {
    name: "the packaged ffmpeg of 2018",
    skip: skipWithout("Xvfb") || ((await findFfmpeg(nothing)).ffmpeg === undefined && !enginesRequired),
    find: () => found(undefined),
  },
  { name: "the system's ffmpeg", skip: skipWithout("Xvfb", "ffmpeg"), find: () => found(pathOf("ffmpeg")) },
  { name: "the newest ffmpeg", skip: skipWithout("Xvfb", "newest ffmpeg"), find: () => found(pathOf("newest ffmpeg")) },
];
