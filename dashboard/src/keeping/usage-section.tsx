// What uses the disk: one bar, its parts in words, and how much room is left.
import type { Usage } from "@kit/contract";
import { sizeOf } from "../clips/measures.ts";
import { Icon } from "../frame/icon.tsx";
import { t } from "../language/language.ts";
import { partsOf, sumOf } from "./parts.ts";
import { partWord } from "./words.ts";

export function UsageSection({ usage }: { usage: Usage }) {
  const { bytes, disk, lowDisk } = usage;
  const parts = partsOf(bytes);
  return (
    <section className="kept-part" aria-labelledby="kept-usage">
      <div className="kept-head">
        <h2 id="kept-usage">{t("Kit uses {{size}}", { size: sizeOf(sumOf(bytes)) })}</h2>
        <p className="kept-quiet">
          {t("{{free}} of {{total}} are free on this disk", {
            free: sizeOf(disk.freeBytes),
            total: sizeOf(disk.totalBytes),
          })}
        </p>
      </div>
      {lowDisk && (
        <p className="kept-low" role="alert">
          <Icon name="warning" />
          <span>
            {t("So little is free that no clip is cut now. Free some room, or let clips go with a smaller quota.")}
          </span>
        </p>
      )}
      <svg className="kept-bar" width="100%" height="18" aria-hidden="true">
        <rect className="kept-bar-all" width="100%" height="18" />
        {parts.map(({ name, from, width }) => (
          <rect key={name} data-part={name} x={`${from}%`} width={`${width}%`} height="18" />
        ))}
      </svg>
      <ul className="kept-legend">
        {parts.map(({ name, bytes: held }) => (
          <li key={name}>
            <svg width="10" height="10" aria-hidden="true">
              <rect data-part={name} width="10" height="10" rx="3" />
            </svg>
            <span>{partWord(name)}</span>
            <strong>{sizeOf(held)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}
