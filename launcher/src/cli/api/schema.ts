// What `kit api` reads of the contract's schemas: names, types, limits, and which values are credentials.
import type { Operation } from "@kit/contract";
import { closestMatch } from "../../http/typos.ts";

/** The parts of JSON Schema that the contract uses. */
export type SchemaNode = {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly writeOnly?: boolean;
};

export const inputParts = ["params", "query", "body"] as const;
export type InputPart = (typeof inputParts)[number];

export const partOf = (operation: Operation, part: InputPart): SchemaNode | undefined =>
  operation[part] as SchemaNode | undefined;

/** The alternatives of a node. Null is first, because a text could be anything. */
export const alternatives = (node: SchemaNode): readonly SchemaNode[] =>
  (node.anyOf ?? [node]).toSorted((one, other) => Number(other.type === "null") - Number(one.type === "null"));

/** The node of each member of a map with names of any kind. */
export const memberNode = (node: SchemaNode): SchemaNode | undefined => Object.values(node.patternProperties ?? {})[0];

/** The member of this name that the schema declares, unlike those that every object has, such as `constructor`. */
export const memberOf = (node: SchemaNode | undefined, name: string): SchemaNode | undefined =>
  node?.properties !== undefined && Object.hasOwn(node.properties, name) ? node.properties[name] : undefined;

/** The object among the alternatives of a node. A message is none: it is read as a text. */
export const objectIn = (node: SchemaNode): SchemaNode | undefined =>
  alternatives(node).find((each) => each.properties !== undefined || each.patternProperties !== undefined);

/** Says which names there are, or which was probably meant. */
export function unknownName(name: string, where: string, known: readonly string[]): string {
  const meant = closestMatch(name, known);
  if (meant !== undefined) return `${where} has no ${name}. Did you mean ${meant}?`;
  return known.length === 0 ? `${where} takes no ${name}.` : `${where} has no ${name}. It has: ${known.join(", ")}.`;
}
