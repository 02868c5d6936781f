// The packages of all bindings. Read before every start, so the code that packs is imported on demand.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Binding as BindingKind } from "@kit/contract";
import type { Package as OwnPackage, Packing } from "../../../bindings/binding.ts";
import { bindings } from "../../../bindings/bindings.ts";

export type Package = OwnPackage & { readonly binding: BindingKind };

export const packages: readonly Package[] = bindings.flatMap(({ kind, packages: own }) =>
  own.map((each) => ({ ...each, binding: kind })),
);

export async function packingOf(root: string, version: string): Promise<Packing> {
  const [{ zipOf, npmPackageOf }, { readFiles }] = await Promise.all([import("./archive.ts"), import("./archive.ts")]);
  return {
    root,
    version,
    zipOf,
    npmPackageOf,
    read: (folder, patterns, prefix) => readFiles(join(root, folder), patterns, prefix),
    nugetPackageOf: async (project) => (await import("./nupkg.ts")).makeNupkg(root, project, version),
  };
}

export const isHere = (root: string, { sources: [first = ""] }: Package) => existsSync(join(root, first));
