// Which event id is open, and what was typed of it: closing loses nothing that cannot be had back.
import { useCallback, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import { isChanged, type RuleDraft } from "./rule-form.ts";
import type { EventRow } from "./rule-rows.ts";
import type { RulesView } from "./rules-view.ts";
import { nameOf } from "./use-event-commands.ts";

type Needs = {
  row: EventRow | undefined;
  change: (view: RulesView) => void;
  say: (says: string, undo?: () => void) => void;
  forgive: () => void;
};

const nothing: RuleDraft = {};

export function usePanel({ row, change, say, forgive }: Needs) {
  const [kept, setKept] = useState<{ key: string; draft: RuleDraft }>();
  const draft = kept !== undefined && kept.key === row?.key ? kept.draft : nothing;
  const last = useRef<string>(undefined);
  const open = useCallback(
    (next: EventRow | undefined, with_: RuleDraft = nothing) => {
      if (row && row.key !== next?.key && isChanged(row, draft)) {
        say(t("What you changed of {{name}} was not kept.", { name: nameOf(row) }), () => {
          setKept({ key: row.key, draft });
          change({ open: row.eventId });
        });
      }
      last.current = row?.key;
      forgive();
      setKept(next && { key: next.key, draft: with_ });
      change({ open: next?.eventId });
    },
    [row, draft, change, say, forgive],
  );
  const write = (members: RuleDraft) => row && setKept({ key: row.key, draft: { ...draft, ...members } });
  const clear = () => setKept(undefined);
  return { draft, open, write, clear };
}
