// How much the clips may hold: a slider and a field of one value, and what would go next.
import type { Usage } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { useRecorder } from "../../api/use-recorder.ts";
import { useRecorderSettings } from "../../api/use-recorder-settings.ts";
import { t } from "../../language/language.ts";
import { clipsAddress } from "../../ui/address.ts";
import { CleanupDialog } from "../../ui/clips/cleanup-dialog.tsx";
import { Typed } from "../../ui/fields.tsx";
import { sizeOf } from "../../ui/measures.ts";
import { numberIn } from "../../ui/number-in.ts";

const gigabyte = 1_000_000_000;

export function QuotaSection({ usage }: { usage: Usage }) {
  const { bytes } = usage;
  // Said at once when it was changed; the usage is counted now and then.
  const quotaBytes = useRecorder().data?.settings.quotaBytes ?? usage.quotaBytes;
  const [asking, setAsking] = useState(false);
  const held = bytes.clips + bytes.bin;
  return (
    <section className="kept-part" aria-labelledby="kept-quota">
      <h2 id="kept-quota">{t("Room for clips")}</h2>
      <p className="kept-quiet">
        {t("Clips hold {{held}} of {{quota}}. Beyond that those that matter least go. Pinned ones never do.", {
          held: sizeOf(held),
          quota: sizeOf(quotaBytes),
        })}
      </p>
      <Quota quotaBytes={quotaBytes} freeBytes={usage.disk.freeBytes} held={held} />
      <div className="kept-buttons">
        <Button variant="soft" onClick={() => setAsking(true)}>
          {t("What would go first?")}
        </Button>
        <Button asChild variant="soft">
          <a href={clipsAddress()}>{t("Choose clips to delete")}</a>
        </Button>
        <Button asChild variant="soft">
          <a href={clipsAddress(undefined, "bin=true")}>{t("Open the bin")}</a>
        </Button>
      </div>
      {asking && <CleanupDialog quotaBytes={quotaBytes} bytes={held} onClose={() => setAsking(false)} />}
    </section>
  );
}

type QuotaProps = { quotaBytes: number; freeBytes: number; held: number };

function Quota({ quotaBytes, freeBytes, held }: QuotaProps) {
  const { keep, refuse, errorOf, kept } = useRecorderSettings();
  const [drawn, setDrawn] = useState<number>();
  const ids = { slider: useId(), hint: useId() };
  const now = Math.round(quotaBytes / gigabyte);
  // What the disk could hold if all of it that is free went to clips; a larger quota stays what it is.
  const most = Math.max(2, now, Math.floor((freeBytes + held) / gigabyte));
  const release = () => {
    if (drawn !== undefined && drawn !== now) keep({ quotaBytes: drawn * gigabyte });
    setDrawn(undefined);
  };
  const typed = (text: string) => {
    const value = numberIn(text);
    if (value === undefined) refuse("quotaBytes", t("Not kept: a number is needed."));
    else keep({ quotaBytes: Math.round(value * gigabyte) });
  };
  return (
    <div className="kept-quota">
      <input
        id={ids.slider}
        type="range"
        aria-label={t("Gigabytes the clips may hold")}
        aria-describedby={ids.hint}
        aria-valuetext={sizeOf((drawn ?? now) * gigabyte)}
        min={1}
        max={most}
        value={drawn ?? Math.max(1, now)}
        onChange={(event) => setDrawn(Number(event.target.value))}
        onPointerUp={release}
        onKeyUp={release}
        onBlur={release}
      />
      <span className="with-unit">
        <Typed
          className="number-field"
          label={t("The same as a number")}
          describedBy={ids.hint}
          numeric
          value={String(drawn ?? quotaBytes / gigabyte)}
          onKeep={typed}
        />
        {t("GB")}
      </span>
      <Outcome id={ids.hint} error={errorOf("quotaBytes")} kept={kept} />
    </div>
  );
}

function Outcome({ id, error, kept }: { id: string; error: string | undefined; kept: boolean }) {
  return (
    <p id={id} className="setting-hint">
      {error ? (
        <span className="setting-error" role="alert">
          {error}
        </span>
      ) : (
        <span className="kept" role="status">
          {kept && t("Saved")}
        </span>
      )}
    </p>
  );
}
