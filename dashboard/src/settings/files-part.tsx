// Where Kit keeps its files, how much they use, and which Kit this is.
import { sizeOf } from "../clips/measures.ts";
import { storageAddress } from "../frame/address.ts";
import { CopyButton } from "../frame/copy-button.tsx";
import { sumOf } from "../keeping/parts.ts";
import { useUsage } from "../keeping/use-kept.ts";
import { t } from "../language/language.ts";
import { Fact } from "../live/section.tsx";
import { visibleText } from "../live/visible-text.ts";
import { useHealth } from "../storage/use-health.ts";
import { Part } from "./part.tsx";

export function FilesPart() {
  const { data: usage, error } = useUsage();
  const health = useHealth().data;
  return (
    <Part name="files" end={<a href={storageAddress}>{t("The Storage page")}</a>}>
      {error && !usage && (
        <p className="details-warning" role="alert">
          {visibleText(error.message)}
        </p>
      )}
      <dl className="facts settings-facts">
        {usage && (
          <>
            <Fact name={t("Data")}>
              <span className="settings-code">{visibleText(usage.dataDir)}</span>
              <CopyButton text={usage.dataDir} label={t("Copy the data directory")} />
            </Fact>
            <Fact name={t("Clips")}>
              <span className="settings-code">{visibleText(usage.clipsDir)}</span>
              <CopyButton text={usage.clipsDir} label={t("Copy the folder of clips")} />
            </Fact>
            <Fact name={t("Uses")}>
              {t("{{size}}, {{free}} are free", {
                size: sizeOf(sumOf(usage.bytes)),
                free: sizeOf(usage.disk.freeBytes),
              })}
            </Fact>
          </>
        )}
        <Fact name={t("Version")}>{health ? `Kit ${visibleText(health.version)}` : " "}</Fact>
      </dl>
    </Part>
  );
}
