// A rule's text: mustache's syntax with the known variables and nothing else, filled in as it is, for no page is made of it.
import { KitError, type PostVariable, postVariables } from "@kit/contract";
import Mustache from "mustache";
import type { Values } from "./values.ts";

/** As mustache parses a template: what it is, its text or name, where it stands, and what is inside of it. */
type Token = readonly [kind: string, value: string, start: number, end: number, inside?: readonly Token[] | string];

const names = Object.keys(postVariables) as readonly PostVariable[];
const known: ReadonlySet<string> = new Set(names);
const listed = names.map((name) => `{{${name}}}`).join(", ");
/** Plain text, a variable, a part that is there with a variable or without it, a remark. */
const kinds = new Set(["text", "name", "&", "#", "^", "!"]);

function refuse(path: string, message: string): never {
  throw new KitError("payload_invalid", `${path} ${message}.`, [{ path, message }]);
}

function parsed(text: string): readonly Token[] {
  // A writer keeps what it parsed: one for each text keeps nothing.
  return new Mustache.Writer().parse(text) as readonly Token[];
}

function checkTokens(tokens: readonly Token[], path: string): void {
  for (const [kind, value, , , inside] of tokens) {
    if (!kinds.has(kind)) refuse(path, `holds {{${kind}…}}, which is not taken: use ${listed}`);
    if (kind !== "text" && kind !== "!" && !known.has(value))
      refuse(path, `names {{${value.slice(0, 50)}}}, which does not exist: use ${listed}`);
    if (Array.isArray(inside)) checkTokens(inside, path);
  }
}

/** Throws KitError for `path` when it is broken, or names what does not exist. */
export function checkTemplate(text: string, path: string): void {
  let tokens: readonly Token[];
  try {
    tokens = parsed(text);
  } catch (error) {
    const [, section] = /section "(.*)"/.exec((error as Error).message) ?? [];
    if (section !== undefined)
      refuse(
        path,
        `begins or ends a part with {{${section.slice(0, 50)}}}: it needs {{#…}} and then {{/…}} of one name`,
      );
    refuse(path, "opens {{ and does not close it: write }} behind the name, or leave the braces out");
  }
  checkTokens(tokens, path);
}

/** Of a template that was checked. */
export const filled = (text: string, values: Values): string =>
  new Mustache.Writer().render(text, values, undefined, { escape: (value: unknown) => String(value) }).trim();

const mentions = (tokens: readonly Token[], name: PostVariable): boolean =>
  tokens.some(
    ([kind, value, , , inside]) =>
      (kind !== "text" && kind !== "!" && value === name) || (Array.isArray(inside) && mentions(inside, name)),
  );

/** Whether a template that was checked says something of a variable. */
export const says = (text: string, name: PostVariable): boolean => mentions(parsed(text), name);
