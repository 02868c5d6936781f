// Brings the GML parser from npm, pinned by the hashes of gml-parser/package-lock.json, into .engines/.
import { gmlParser } from "./locate.ts";
import { providePinned } from "./pinned-npm.ts";

export function provideGmlParser(): void {
  providePinned({
    folder: "gml-parser",
    name: "the GML parser",
    size: "50 MB",
    isThere: () => gmlParser() !== undefined,
  });
}
