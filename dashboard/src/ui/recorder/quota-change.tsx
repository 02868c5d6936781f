// A change of the space for clips. A smaller one that deletes clips shows them, and is saved only after a confirmation.
import { planCleanup, quotaBytesMin, type ReplyOf } from "@kit/contract";
import { useRef, useState } from "react";
import { useClient } from "../../api/session.ts";
import type { RecorderSettingsForm } from "../../api/use-recorder.ts";
import { t } from "../../language/language.ts";
import { RemovalList } from "../clips/removal-list.tsx";
import { ConfirmDialog } from "../dialog.tsx";
import { formatBytes } from "../format.ts";

type Asked = { readonly bytes: number; readonly plan: ReplyOf<typeof planCleanup> };

/** `resets` counts the refusals; as the key of a field, it shows the saved value again. */
export function useQuotaChange({ save, reject }: Pick<RecorderSettingsForm, "save" | "reject">, quotaBytes: number) {
  const client = useClient();
  const [asked, setAsked] = useState<Asked>();
  const [resets, setResets] = useState(0);
  /** The number of changes. Only the newest one is saved. */
  const newest = useRef(0);
  const change = async (bytes: number): Promise<void> => {
    newest.current += 1;
    const own = newest.current;
    // The launcher refuses what is too small.
    if (bytes >= quotaBytes || bytes < quotaBytesMin) return save({ quotaBytes: bytes });
    try {
      const plan = await client.call(planCleanup, { query: { quotaBytes: bytes } });
      if (own !== newest.current) return;
      if (plan.goes.length === 0) save({ quotaBytes: bytes });
      else setAsked({ bytes, plan });
    } catch (error) {
      reject("quotaBytes", t("Not saved: {{why}}", { why: (error as Error).message }));
    }
  };
  const close = () => {
    newest.current += 1;
    setAsked(undefined);
    setResets((count) => count + 1);
  };
  const dialog = asked && (
    <ConfirmDialog
      title={titleOf(asked)}
      confirmLabel={t("Delete them")}
      onConfirm={() => save({ quotaBytes: asked.bytes })}
      onClose={close}
    >
      <p>
        {t("Clips use {{held}}. With {{quota}}, Kit deletes these for good:", {
          held: formatBytes(asked.plan.bytes),
          quota: formatBytes(asked.bytes),
        })}
      </p>
      <RemovalList goes={asked.plan.goes} />
    </ConfirmDialog>
  );
  return { change: (bytes: number) => void change(bytes), dialog, resets };
}

const titleOf = ({ plan: { goes, freedBytes } }: Asked): string =>
  t("Delete {{count}} clips, {{size}}?", {
    count: goes.length,
    size: formatBytes(freedBytes),
    defaultValue_one: "Delete {{count}} clip, {{size}}?",
  });
