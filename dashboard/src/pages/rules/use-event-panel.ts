// The open event id and its unsaved changes. Closing the panel with changes offers to restore them.
import { useCallback, useState } from "react";
import { t } from "../../language/language.ts";
import { hasChanges, type RuleDraft } from "./rule-form.ts";
import type { EventRow } from "./rule-rows.ts";
import type { RulesView } from "./rules-view.ts";
import { eventName } from "./use-event-commands.ts";

type EventPanelDeps = {
  row: EventRow | undefined;
  change: (view: RulesView) => void;
  showDone: (says: string, undo?: () => void) => void;
  clearError: () => void;
};

const emptyDraft: RuleDraft = {};

export function useEventPanel({ row, change, showDone, clearError }: EventPanelDeps) {
  const [unsaved, setUnsaved] = useState<{ key: string; draft: RuleDraft }>();
  const draft = unsaved !== undefined && unsaved.key === row?.key ? unsaved.draft : emptyDraft;
  const open = useCallback(
    (next: EventRow | undefined, initialDraft: RuleDraft = emptyDraft) => {
      if (row && row.key !== next?.key && hasChanges(row, draft)) {
        showDone(t("Your changes to {{name}} were not saved.", { name: eventName(row) }), () => {
          setUnsaved({ key: row.key, draft });
          change({ open: row.eventId });
        });
      }
      clearError();
      setUnsaved(next && { key: next.key, draft: initialDraft });
      change({ open: next?.eventId });
    },
    [row, draft, change, showDone, clearError],
  );
  const write = (members: RuleDraft) => row && setUnsaved({ key: row.key, draft: { ...draft, ...members } });
  const clear = () => setUnsaved(undefined);
  return { draft, open, write, clear };
}
