// How much space clips may use: a slider and a number field, and a button to free space.
import type { DiskUsage } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { useRecorder, useRecorderSettingsForm } from "../../api/use-recorder.ts";
import { t } from "../../language/language.ts";
import { clipsAddress } from "../../ui/address.ts";
import { CleanupDialog } from "../../ui/clips/cleanup-dialog.tsx";
import { AutosaveNumber } from "../../ui/fields.tsx";
import { formatBytes } from "../../ui/format.ts";
import { useQuotaChange } from "../../ui/recorder/quota-change.tsx";
import { PageSection } from "../../ui/section.tsx";

const gigabyte = 1_000_000_000;

export function QuotaSection({ usage }: { usage: DiskUsage }) {
  const { bytes } = usage;
  // The quota is taken from the settings, which change at once; the usage is counted only from time to time.
  const quotaBytes = useRecorder().data?.settings.quotaBytes ?? usage.quotaBytes;
  const [isOpen, setOpen] = useState(false);
  const usedBytes = bytes.clips + bytes.bin;
  return (
    <PageSection title={t("Space for clips")}>
      <p className="quiet">
        {t(
          "Clips use {{held}} of {{quota}}. Beyond that, Kit deletes the least important clips. It never deletes pinned clips.",
          {
            held: formatBytes(usedBytes),
            quota: formatBytes(quotaBytes),
          },
        )}
      </p>
      <Quota quotaBytes={quotaBytes} freeBytes={usage.disk.freeBytes} usedBytes={usedBytes} />
      <div className="cluster tight">
        <Button variant="soft" onClick={() => setOpen(true)}>
          {t("Free up space…")}
        </Button>
        <Button asChild variant="soft">
          <a href={clipsAddress()}>{t("Choose clips to delete")}</a>
        </Button>
        <Button asChild variant="soft">
          <a href={clipsAddress(undefined, "bin=true")}>{t("Open the trash")}</a>
        </Button>
      </div>
      {isOpen && <CleanupDialog usedBytes={usedBytes} onClose={() => setOpen(false)} />}
    </PageSection>
  );
}

type QuotaProps = { quotaBytes: number; freeBytes: number; usedBytes: number };

function Quota({ quotaBytes, freeBytes, usedBytes }: QuotaProps) {
  const form = useRecorderSettingsForm();
  const quota = useQuotaChange(form, quotaBytes);
  const [dragged, setDragged] = useState<number>();
  const ids = { slider: useId(), hint: useId() };
  const now = Math.round(quotaBytes / gigabyte);
  // Up to what fits on the disk. A quota that is larger already stays as it is.
  const most = Math.max(2, now, Math.floor((freeBytes + usedBytes) / gigabyte));
  const release = () => {
    if (dragged !== undefined && dragged !== now) quota.change(dragged * gigabyte);
    setDragged(undefined);
  };
  return (
    <div className="cluster quota">
      <input
        id={ids.slider}
        type="range"
        aria-label={t("Space for clips in gigabytes")}
        aria-describedby={ids.hint}
        aria-valuetext={formatBytes((dragged ?? now) * gigabyte)}
        min={1}
        max={most}
        value={dragged ?? Math.max(1, now)}
        onChange={(event) => setDragged(Number(event.target.value))}
        onPointerUp={release}
        onKeyUp={release}
        onBlur={release}
      />
      <AutosaveNumber
        key={quota.resets}
        label={t("The same value as a number")}
        describedBy={ids.hint}
        value={dragged ?? quotaBytes / gigabyte}
        unit={t("GB")}
        onSave={(value) => quota.change(Math.round(value * gigabyte))}
        onReject={(says) => form.reject("quotaBytes", says)}
      />
      <Outcome id={ids.hint} error={form.errorFor("quotaBytes")} isSaved={form.isSaved} />
      {quota.dialog}
    </div>
  );
}

function Outcome({ id, error, isSaved }: { id: string; error: string | undefined; isSaved: boolean }) {
  return (
    <p id={id} className="setting-hint small quiet">
      {error ? (
        <span className="error" role="alert">
          {error}
        </span>
      ) : (
        <span className="done small" role="status">
          {isSaved && t("Saved")}
        </span>
      )}
    </p>
  );
}
