// A field to show one kind of the things in a list, or all kinds.
import { t } from "../language/language.ts";
import { SegmentedChoice } from "./fields.tsx";

type Props<K extends string> = {
  kinds: readonly K[];
  labelOf: (kind: K) => string;
  chosen: K | undefined;
  onChange: (change: { kind: K | undefined }) => void;
};

export function KindChoice<K extends string>({ kinds, labelOf, chosen, onChange }: Props<K>) {
  return (
    <SegmentedChoice
      className="filter-kind"
      label={t("Kind")}
      choices={[
        { value: "all" as const, says: t("All") },
        ...kinds.map((kind) => ({ value: kind, says: labelOf(kind) })),
      ]}
      value={chosen ?? "all"}
      onChange={(kind) => onChange({ kind: kind === "all" ? undefined : kind })}
    />
  );
}
