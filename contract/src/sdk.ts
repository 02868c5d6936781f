// The list of the packages that bring a binding into a game's project.
import { Type } from "typebox";
import { describedBindings } from "./engines.ts";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { sessionErrors } from "./problem.ts";

/** Texts about an engine and its binding, shown to people. */
export type EngineDescription = {
  readonly name: string;
  /** The programming language of its games. */
  readonly language: string;
  /**
   * What a person does after the download and before the line of game code. `code` is in backticks, **UI names** in
   * asterisks.
   */
  readonly steps: readonly string[];
  /** The step that says where the line of code goes. */
  readonly lineStep: string;
  /** What a developer sets if the launcher has another port; {{address}} stands for its URL. */
  readonly portStep: string;
  /** The line of game code. */
  readonly line: string;
};

export type Binding = keyof typeof describedBindings;
export const engineDescriptions: Readonly<Record<Binding, EngineDescription>> = describedBindings;
export const bindings = Object.keys(describedBindings) as Binding[];
export type Engine = EngineDescription & { readonly binding: Binding };
/** The engines with a binding, in display order. */
export const engines: readonly Engine[] = bindings.map((binding) => ({ binding, ...engineDescriptions[binding] }));
const Binding = Type.Enum(bindings, { description: "The engine of the binding" });

/** The path of each package file begins with this. */
export const sdkPath = "/sdk/";

export const SdkPackage = Type.Object(
  {
    binding: Binding,
    name: Type.String({ description: "The kind of package, e.g. NuGet package" }),
    version: Type.String({ description: "Version of the binding, e.g. 0.1.0" }),
    file: Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$", description: `Name of the file below ${sdkPath}` }),
    bytes: Type.Integer({ description: "Size of the file" }),
    sha256: Type.String({ description: "SHA-256 of the file, in hex" }),
  },
  { description: "A file that brings a binding into a game's project" },
);
export type SdkPackage = Type.Static<typeof SdkPackage>;

export const SdkMissing = Type.Object(
  {
    binding: Binding,
    name: Type.String({ description: "The kind of package" }),
    reason: messageSchema("Why the package was not built, and what to do"),
  },
  { description: "A package that was not built" },
);
export type SdkMissing = Type.Static<typeof SdkMissing>;

export const SdkIndex = Type.Object({
  packages: Type.Array(SdkPackage, { description: "Empty if this Kit was not bundled" }),
  missing: Type.Array(SdkMissing),
});
export type SdkIndex = Type.Static<typeof SdkIndex>;

export const listSdk = operation({
  id: "listSdk",
  method: "GET",
  path: "/api/sdk",
  access: "session",
  says: `The packages of the bindings with their checksums. The files are served below ${sdkPath}.`,
  status: 200,
  reply: SdkIndex,
  errors: sessionErrors,
});
