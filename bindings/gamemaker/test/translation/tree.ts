// Helper functions for the parser's tree.
import type { Node, Token } from "./parser.ts";

export const isNode = (part: Node | Token): part is Node => "children" in part;

export function nodesOf(node: Node, name: string): Node[] {
  return (node.children[name] ?? []).filter(isNode);
}

export function nodeOf(node: Node, name: string): Node | undefined {
  return nodesOf(node, name)[0];
}

/** A child that the grammar guarantees. */
export function childOf(node: Node, name: string): Node {
  const child = nodeOf(node, name);
  if (child === undefined) refuse(node, `${node.name} without ${name}`);
  return child;
}

export function tokenOf(node: Node, name: string): Token | undefined {
  return (node.children[name] ?? []).find((part): part is Token => !isNode(part));
}

export function textOf(node: Node, name: string): string {
  const token = tokenOf(node, name);
  if (token === undefined) refuse(node, `${node.name} without ${name}`);
  return token.image;
}

/** The only child of a node that has one of several alternatives. */
export function onlyOf(node: Node): Node | Token {
  const first = Object.values(node.children).flatMap((parts) => parts ?? [])[0];
  if (first === undefined) refuse(node, `empty ${node.name}`);
  return first;
}

export function onlyNodeOf(node: Node): Node {
  const only = onlyOf(node);
  return isNode(only) ? only : refuse(node, `${node.name} of a word only`);
}

export function lineOf(part: Node | Token): number | undefined {
  if (!isNode(part)) return part.startLine;
  for (const child of Object.values(part.children).flatMap((parts) => parts ?? [])) {
    const line = lineOf(child);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Stops the translation at anything that it does not know or that the runner would not accept. */
export function refuse(part: Node | Token, why: string): never {
  throw new SyntaxError(`GML line ${lineOf(part) ?? "?"}: ${why}`);
}
