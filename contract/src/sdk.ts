// What a game's developer takes home: the packages of the bindings, ready to be put into a project.
import { Type } from "typebox";
import { operation } from "./operation.ts";
import { sessionErrors } from "./problem.ts";

export const bindings = ["godot", "rpgmaker", "gamemaker", "monogame", "unity"] as const;
export type Binding = (typeof bindings)[number];
const Binding = Type.Enum(bindings, { description: "The engine it is for" });

/** Every package lies below this path, under the name the list gives. */
export const sdkPath = "/sdk/";

export const SdkPackage = Type.Object(
  {
    binding: Binding,
    name: Type.String({ description: "What it is, e.g. NuGet package" }),
    version: Type.String({ description: "Of the binding, e.g. 0.1.0" }),
    file: Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$", description: `Its name below ${sdkPath}` }),
    bytes: Type.Integer({ description: "Its size" }),
    sha256: Type.String({ description: "Of its bytes, hex" }),
  },
  { description: "A file that brings a binding into a game's project" },
);
export type SdkPackage = Type.Static<typeof SdkPackage>;

export const SdkMissing = Type.Object(
  {
    binding: Binding,
    name: Type.String({ description: "What it would be" }),
    reason: Type.String({ description: "Why it was not made and what to do" }),
  },
  { description: "A package that is not there" },
);
export type SdkMissing = Type.Static<typeof SdkMissing>;

export const SdkIndex = Type.Object({
  packages: Type.Array(SdkPackage, { description: "Empty where none were bundled" }),
  missing: Type.Array(SdkMissing),
});
export type SdkIndex = Type.Static<typeof SdkIndex>;

export const listSdk = operation({
  id: "listSdk",
  method: "GET",
  path: "/api/sdk",
  access: "session",
  says: `The packages of the bindings, each with its checksum; the files lie below ${sdkPath}.`,
  status: 200,
  reply: SdkIndex,
  errors: sessionErrors,
});
