// Which packages of Debian Mono is: the runtime older Unity versions are built on, with the parts of its library the bindings use.
import { existsSync } from "node:fs";
import { mono } from "./locate.ts";

const packages = [
  "mono-runtime",
  "libmono-system-core4.0-cil",
  "libmono-system-net-http4.0-cil",
  "libmono-system-runtime4.0-cil",
];

// A machine may have the program without the library.
const library = "/usr/lib/mono/4.5/System.Net.Http.dll";

/** None when it is there. */
export function packagesOfMono(): readonly string[] {
  return mono() === undefined || !existsSync(library) ? packages : [];
}
