// How much of the disk the clips hold, and what would go first if room were needed.
import { Button } from "@radix-ui/themes";
import { useState } from "react";
import { t } from "../language/language.ts";
import { CleanupDialog } from "./cleanup-dialog.tsx";
import { sizeOf } from "./measures.ts";

/** From here on the oldest may soon go. */
const nearlyFull = 0.9;

export function StorageLine({ bytes, quotaBytes }: { bytes: number; quotaBytes: number }) {
  const [asking, setAsking] = useState(false);
  const part = quotaBytes > 0 ? Math.min(1, bytes / quotaBytes) : 1;
  return (
    <div className="storage-line" data-full={part >= nearlyFull}>
      <svg width="88" height="6" aria-hidden="true">
        <rect width="100%" height="6" rx="3" className="storage-all" />
        <rect width={`${Math.max(part * 100, bytes > 0 ? 2 : 0)}%`} height="6" rx="3" className="storage-held" />
      </svg>
      <p>{t("{{held}} of {{quota}}", { held: sizeOf(bytes), quota: sizeOf(quotaBytes) })}</p>
      <Button size="1" variant="ghost" color="gray" onClick={() => setAsking(true)}>
        {t("What would go first?")}
      </Button>
      {asking && <CleanupDialog quotaBytes={quotaBytes} bytes={bytes} onClose={() => setAsking(false)} />}
    </div>
  );
}
