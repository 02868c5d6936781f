// Installs the GML parser from npm into .engines/, pinned by gml-parser/package-lock.json.
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
