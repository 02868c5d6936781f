// Chooses which seconds of its clip a post carries: those around its moment, the whole clip, or others.
import { type PostFootage, type PostPart, postPartSecondsMin } from "@kit/contract";
import { TextField } from "@radix-ui/themes";
import { useState } from "react";
import { t } from "../../language/language.ts";
import { FieldRow, Select } from "../../ui/fields.tsx";
import { formatClock, parseNumber } from "../../ui/format.ts";
import { partText } from "../../ui/posts/post-text.ts";

type Props = { footage: PostFootage; part: PostPart | null; onChange: (part: PostPart | null) => void };

type Choice = "moment" | "whole" | "other";

const choiceOf = ({ momentPart }: PostFootage, part: PostPart | null): Choice => {
  if (part === null) return "whole";
  const isMoment = part.fromSeconds === momentPart?.fromSeconds && part.toSeconds === momentPart.toSeconds;
  return isMoment ? "moment" : "other";
};

export function PartField({ footage, part, onChange }: Props) {
  const { momentPart } = footage;
  const clipSeconds = footage.clipSeconds ?? 0;
  const [choice, setChoice] = useState(() => choiceOf(footage, part));
  const whole = { fromSeconds: 0, toSeconds: clipSeconds };
  const others: readonly { readonly value: Choice; readonly says: string }[] = [
    { value: "whole", says: t("The whole clip: {{length}}", { length: formatClock(clipSeconds) }) },
    { value: "other", says: t("Another part") },
  ];
  const around = (of: PostPart) => t("Around its moment: {{part}}", { part: partText({ ...footage, part: of }) });
  const choices = momentPart === null ? others : [{ value: "moment" as const, says: around(momentPart) }, ...others];
  const choose = (next: Choice) => {
    setChoice(next);
    onChange(next === "moment" ? momentPart : next === "whole" ? null : (part ?? momentPart ?? whole));
  };
  return (
    <>
      <FieldRow label={t("Part of the clip")}>
        {({ field }) => <Select id={field} choices={choices} value={choice} onChange={choose} />}
      </FieldRow>
      {choice === "other" && <SecondsFields part={part ?? whole} clipSeconds={clipSeconds} onChange={onChange} />}
    </>
  );
}

type SecondsProps = { part: PostPart; clipSeconds: number; onChange: (part: PostPart) => void };

function SecondsFields({ part, clipSeconds, onChange }: SecondsProps) {
  const [typed, setTyped] = useState({ from: String(part.fromSeconds), to: String(part.toSeconds) });
  const set = (more: Partial<typeof typed>) => {
    const now = { ...typed, ...more };
    setTyped(now);
    const fromSeconds = parseNumber(now.from);
    const toSeconds = parseNumber(now.to);
    if (fromSeconds !== undefined && toSeconds !== undefined) onChange({ fromSeconds, toSeconds });
  };
  const from = parseNumber(typed.from) ?? Number.NaN;
  const to = parseNumber(typed.to) ?? Number.NaN;
  const isValid = from >= 0 && to <= clipSeconds && to - from >= postPartSecondsMin;
  const problem = t("Choose at least {{least}} s between 0 and {{length}} s.", {
    least: postPartSecondsMin,
    length: clipSeconds,
  });
  return (
    <FieldRow label={t("Start and end, in seconds")} error={isValid ? undefined : problem}>
      {({ field, hint }) => (
        <span className="cluster tight">
          <TextField.Root
            id={field}
            className="short-field"
            inputMode="decimal"
            aria-describedby={hint}
            value={typed.from}
            onChange={({ target }) => set({ from: target.value })}
          />
          <TextField.Root
            className="short-field"
            inputMode="decimal"
            aria-label={t("End, in seconds")}
            value={typed.to}
            onChange={({ target }) => set({ to: target.value })}
          />
        </span>
      )}
    </FieldRow>
  );
}
