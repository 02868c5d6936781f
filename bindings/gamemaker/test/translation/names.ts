// The meaning of a name in GML: a local, a static, a macro, a script function or a built-in. Others are refused.
import type { BuiltIn, Node } from "./parser.ts";
import { refuse } from "./tree.ts";

/** The names in a function's body. GML's `var` is valid from its position to the end of the function. */
export type Scope = {
  readonly locals: Set<string>;
  /** Locals other than parameters, declared at the start of the function. */
  readonly hoisted: Set<string>;
  readonly statics: Map<string, string>;
  /** Whether unknown names are variables of the instance, as in the events of an object. */
  readonly instance: boolean;
};

export type World = {
  readonly builtIns: ReadonlyMap<string, BuiltIn>;
  readonly scripts: Set<string>;
  /** The expressions of the macros, already translated. */
  readonly macros: Map<string, string>;
};

/**
 * The state of a translation. Expressions contain functions and functions expressions, so the files that translate them
 * call each other through this object.
 */
export type Translation = {
  readonly world: World;
  readonly scope: Scope;
  readonly expression: (node: Node) => string;
  /** The right side of an assignment: an expression, a struct or a function. */
  readonly right: (node: Node) => string;
  readonly functionExpression: (node: Node) => string;
};

export const newScope = (instance: boolean): Scope => ({
  locals: new Set(),
  hoisted: new Set(),
  statics: new Map(),
  instance,
});

export function declareLocal(scope: Scope, name: string): string {
  if (!scope.locals.has(name)) scope.hoisted.add(name);
  scope.locals.add(name);
  return `l_${name}`;
}

export type Meaning =
  | { readonly kind: "variable" | "value" | "script"; readonly code: string }
  | { readonly kind: "builtIn"; readonly name: string; readonly builtIn: BuiltIn }
  | { readonly kind: "instance"; readonly name: string };

export function meaningOf(world: World, scope: Scope | undefined, name: string, at: Node): Meaning {
  if (name === "global") return { kind: "value", code: "rt.global" };
  const macro = world.macros.get(name);
  if (macro !== undefined) return { kind: "value", code: `(${macro})` };
  const known = scope?.statics.get(name);
  if (known !== undefined) return { kind: "variable", code: known };
  if (scope?.locals.has(name)) return { kind: "variable", code: `l_${name}` };
  if (world.scripts.has(name)) return { kind: "script", code: `gml_${name}` };
  const builtIn = world.builtIns.get(name);
  if (builtIn !== undefined) return { kind: "builtIn", name, builtIn };
  if (scope?.instance) return { kind: "instance", name };
  return refuse(at, `'${name}' is no local, static, macro, script function or built-in`);
}
