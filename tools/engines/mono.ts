// Debian packages of Mono, the runtime of older Unity versions.
import { existsSync } from "node:fs";
import { mono } from "./locate.ts";

const packages = [
  "mono-runtime",
  "libmono-system-core4.0-cil",
  "libmono-system-net-http4.0-cil",
  "libmono-system-runtime4.0-cil",
];

// Checks the library, because the program may be installed without it.
const library = "/usr/lib/mono/4.5/System.Net.Http.dll";

/** Returns the packages to install, or none if Mono is installed. */
export function packagesOfMono(): readonly string[] {
  return mono() === undefined || !existsSync(library) ? packages : [];
}
