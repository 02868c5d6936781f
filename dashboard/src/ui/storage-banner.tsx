// The banner that says when Kit cannot store something, or when something else about storage needs attention.
import { textOf } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useState } from "react";
import { useHealth } from "../api/use-health.ts";
import { Icon } from "./icon.tsx";
import { visibleText } from "./visible-text.ts";
import "./storage-banner.css";
import { t, translateMessage } from "../language/language.ts";

export function StorageBanner() {
  const storage = useHealth().data?.storage;
  const [hidden, setHidden] = useState<readonly string[]>([]);
  if (storage === undefined) return null;
  const notices = storage.notices.filter((notice) => !hidden.includes(textOf(notice)));
  return (
    <>
      {storage.state === "failing" && (
        <div className="banner" data-tone="bad" role="alert">
          <Icon name="disk" />
          <p>
            <strong>{t("Kit cannot store events right now.")}</strong>{" "}
            {t("Until Kit can store events again, it refuses new ones, so no event is confirmed and then lost.")}{" "}
            {storage.detail && visibleText(translateMessage(storage.detail))}
          </p>
        </div>
      )}
      {notices.map((notice) => (
        <div key={textOf(notice)} className="banner" data-tone="notice">
          <Icon name="disk" />
          <p>{visibleText(translateMessage(notice))}</p>
          <Button size="1" variant="ghost" color="amber" onClick={() => setHidden([...hidden, textOf(notice)])}>
            {t("Hide")}
          </Button>
        </div>
      ))}
    </>
  );
}
