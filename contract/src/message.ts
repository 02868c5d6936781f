// A message of the launcher: a code and values for programs, and the same as an English sentence for people and logs.

/** The value of a placeholder. If it is another message, that message's sentence is filled in. */
export type MessageValue = string | number | Message;

export type Message = {
  /** The sentence in English, with its values filled in. */
  readonly text: string;
  /** Identifies the sentence in every language, e.g. `clip.too_short`. The code stays when the English is reworded. */
  readonly code: string;
  readonly values?: Readonly<Record<string, MessageValue>>;
};

/** A message, or text from another program, which has no code, e.g. the last line of ffmpeg's output. */
export type MessageOrText = Message | string;

/** The names between `{{` and `}}` in a template. */
type PlaceholdersOf<Template extends string> = Template extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | PlaceholdersOf<Rest>
  : never;
type ValuesOf<Template extends string> = [PlaceholdersOf<Template>] extends [never]
  ? []
  : [values: Readonly<Record<PlaceholdersOf<Template>, MessageValue>>];

/** True if the message, or a message among its values, has the code. */
export const hasCode = (message: MessageOrText, code: string): boolean =>
  typeof message !== "string" &&
  (message.code === code ||
    Object.values(message.values ?? {}).some((value) => typeof value === "object" && hasCode(value, code)));

export const textOf = (message: MessageOrText): string => (typeof message === "string" ? message : message.text);

const valueText = (value: MessageValue) => (typeof value === "number" ? String(value) : textOf(value));

const endsSentence = /[.!?…。！？]$/u;

/** Fills in a template. A full stop behind a value that ends a sentence itself is left out. */
const fill = (template: string, textFor: (name: string) => string) =>
  template.replace(/\{\{(\w+)\}\}([.。]?)/gu, (_, name: string, stop: string) => {
    const text = textFor(name);
    return endsSentence.test(text) ? text : text + stop;
  });

/** Returns the function that creates messages from a catalogue of English templates. */
export const createMessages =
  <const Templates extends Readonly<Record<string, string>>>(templates: Templates) =>
  <Code extends keyof Templates & string>(code: Code, ...[values]: ValuesOf<Templates[Code]>): Message => {
    const given: Readonly<Record<string, MessageValue>> | undefined = values;
    const text = fill(templates[code] as string, (name) => valueText(given?.[name] ?? ""));
    return given === undefined ? { text, code } : { text, code, values: given };
  };

/** Applies `change` to the text of a message and to all texts among its values, e.g. to hide secrets. */
export function changeTexts<Given extends MessageOrText>(message: Given, change: (text: string) => string): Given;
export function changeTexts(message: MessageOrText, change: (text: string) => string): MessageOrText {
  if (typeof message === "string") return change(message);
  const { text, code, values } = message;
  if (values === undefined) return { text: change(text), code };
  const changed = Object.entries(values).map(
    ([name, value]) => [name, typeof value === "number" ? value : changeTexts(value, change)] as const,
  );
  return { text: change(text), code, values: Object.fromEntries(changed) };
}

/**
 * Returns the message's sentence in the language of `templates`. If they have no entry for its code, returns the
 * English sentence.
 */
export function translate(message: Message, templates: Readonly<Record<string, string>>): string {
  const template = templates[message.code];
  if (template === undefined) return message.text;
  return fill(template, (name) => {
    const value = message.values?.[name] ?? "";
    return typeof value === "object" ? translate(value, templates) : String(value);
  });
}

/** An error with a message to show to people. */
export class MessageError extends Error {
  override name = "MessageError";
  readonly detail: MessageOrText;

  constructor(detail: MessageOrText, options?: ErrorOptions) {
    super(textOf(detail), options);
    this.detail = detail;
  }
}

/** Returns the message of a MessageError, or the text of any other error. */
export const detailOf = (error: unknown): MessageOrText => {
  if (error instanceof MessageError) return error.detail;
  return error instanceof Error ? error.message : String(error);
};
