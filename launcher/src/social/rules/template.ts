// The templates of rules, in Mustache syntax with the known variables only. Values are not escaped for HTML, because posts
// are plain text.
import { type PostVariable, postVariables, rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";
import Mustache from "mustache";
import type { TemplateValues } from "./template-values.ts";

/** A token of Mustache's parser. `value` is its text or the name of its variable, `inside` the tokens in a section. */
type Token = readonly [kind: string, value: string, start: number, end: number, inside?: readonly Token[] | string];

const variableNames = Object.keys(postVariables) as readonly PostVariable[];
const known: ReadonlySet<string> = new Set(variableNames);
const variableList = variableNames.map((name) => `{{${name}}}`).join(", ");
/** The kinds of tokens that a template may have: text, variables, sections, inverted sections, comments. */
const allowedKinds = new Set(["text", "name", "&", "#", "^", "!"]);

function parseTemplate(text: string): readonly Token[] {
  // A new writer each time, because a shared one would keep every template that it parsed.
  return new Mustache.Writer().parse(text) as readonly Token[];
}

function checkTokens(tokens: readonly Token[], path: string): void {
  for (const [kind, value, , , inside] of tokens) {
    if (!allowedKinds.has(kind))
      rejectField(path, message("template.tag_not_allowed", { tag: `{{${kind}…}}`, variables: variableList }));
    if (kind !== "text" && kind !== "!" && !known.has(value))
      rejectField(
        path,
        message("template.unknown_variable", { variable: `{{${value.slice(0, 50)}}}`, variables: variableList }),
      );
    if (Array.isArray(inside)) checkTokens(inside, path);
  }
}

/** Throws KitError for `path` if the template is malformed or uses an unknown variable. */
export function checkTemplate(text: string, path: string): void {
  let tokens: readonly Token[];
  try {
    tokens = parseTemplate(text);
  } catch (error) {
    const [, section] = /section "(.*)"/.exec((error as Error).message) ?? [];
    if (section !== undefined)
      rejectField(
        path,
        message("template.unpaired_section", {
          section: `{{${section.slice(0, 50)}}}`,
          start: "{{#…}}",
          end: "{{/…}}",
        }),
      );
    rejectField(path, message("template.unclosed", { start: "{{", end: "}}" }));
  }
  checkTokens(tokens, path);
}

/** Fills in a template that was checked. */
export const fillTemplate = (text: string, values: TemplateValues): string =>
  new Mustache.Writer().render(text, values, undefined, { escape: (value: unknown) => String(value) }).trim();

const tokensUse = (tokens: readonly Token[], name: PostVariable): boolean =>
  tokens.some(
    ([kind, value, , , inside]) =>
      (kind !== "text" && kind !== "!" && value === name) || (Array.isArray(inside) && tokensUse(inside, name)),
  );

/** Whether a template that was checked uses the variable. */
export const usesVariable = (text: string, name: PostVariable): boolean => tokensUse(parseTemplate(text), name);
