// Turns cases into the script the player reads: tab-separated words, because what plays it has no JSON reader everywhere.

type Text = string | null | { readonly utf16: readonly number[] };
type Config = Readonly<Record<string, Text | boolean>>;

type Step = {
  readonly do: string;
  readonly eventId?: Text;
  readonly message?: Text;
  readonly stackTrace?: Text;
  readonly config?: Config;
  readonly times?: number;
  readonly count?: number;
  readonly ms?: number;
  readonly step?: Step;
};

export type Case = {
  readonly id: string;
  readonly alone: boolean;
  readonly start: "config" | "nothing";
  readonly config?: Config;
  readonly steps: readonly Step[];
};

export function scriptOf(cases: readonly Case[]): string {
  return cases
    .flatMap(linesOf)
    .map((words) => `${words.join("\t")}\n`)
    .join("");
}

function linesOf({ id, start, config, steps }: Case): string[][] {
  const started = start === "nothing" ? ["nothing"] : configWords(config);
  return [["case", id], ["start", ...started], ...steps.map(stepWords)];
}

function stepWords(step: Step): string[] {
  const nested = step.step === undefined ? [] : stepWords(step.step);
  switch (step.do) {
    case "recording":
    case "social":
      return [step.do, textWord(step.eventId ?? null)];
    case "monitor":
      return [
        step.do,
        textWord(step.message ?? null),
        ...(step.stackTrace === undefined ? [] : [textWord(step.stackTrace)]),
      ];
    case "fail":
      return [step.do, textWord(step.message ?? null)];
    case "initialize":
      return [step.do, ...configWords(step.config)];
    case "repeat":
      return [step.do, String(step.times), ...nested];
    case "threads":
    case "frames":
      return [step.do, String(step.count), ...nested];
    case "wait":
    case "block":
      return [step.do, String(step.ms)];
    default:
      return [step.do];
  }
}

function configWords(config: Config = {}): string[] {
  return Object.entries(config).flatMap(([name, value]) => [
    name,
    typeof value === "boolean" ? String(value) : textWord(value),
  ]);
}

/** The code units of a text, little end first, in base64. */
function textWord(text: Text): string {
  if (text === null) return "null";
  const units =
    typeof text === "string" ? Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)) : text.utf16;
  return Buffer.from(Uint16Array.from(units).buffer).toString("base64");
}
