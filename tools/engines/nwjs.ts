// Installs two NW.js versions from npm into .engines/, pinned by nwjs/package-lock.json.
import { nwjs, nwjsVersions } from "./locate.ts";
import { type Pinned, providePinned } from "./pinned-npm.ts";
import { say } from "./progress.ts";

const builds: Pinned = {
  folder: "nwjs",
  name: `NW.js ${nwjsVersions.join(" and ")}`,
  size: "310 MB",
  isThere: () => nwjsVersions.every((version) => nwjs(version) !== undefined),
};

export function provideNwjs(): void {
  if (process.platform === "linux" && process.arch === "x64") providePinned(builds);
  else if (!builds.isThere()) say(`NW.js is only brought to linux x64, not to ${process.platform} ${process.arch}`);
}
