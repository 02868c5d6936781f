// All copies that were asked for since the launcher began: how many are being made, and the list of them.
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { Dialog } from "../frame/dialog.tsx";
import { t } from "../language/language.ts";
import { ExportList } from "./export-list.tsx";
import { isMoving, useExports } from "./use-exports.ts";

export function CopiesButton() {
  const [open, setOpen] = useState(false);
  const title = useId();
  const exports = useExports().data ?? [];
  const moving = exports.filter(isMoving).length;
  if (exports.length === 0 && !open) return null;
  return (
    <>
      <Button size="1" variant="soft" color={moving > 0 ? "iris" : "gray"} onClick={() => setOpen(true)}>
        {moving > 0
          ? t("{{count}} copies in the making", { count: moving, defaultValue_one: "{{count}} copy in the making" })
          : t("{{count}} copies", { count: exports.length, defaultValue_one: "{{count}} copy" })}
      </Button>
      {open && (
        <Dialog className="panel copies" labelledBy={title} onClose={() => setOpen(false)}>
          <h2 id={title}>{t("Copies of clips")}</h2>
          {exports.length === 0 && <p>{t("None are left.")}</p>}
          <ExportList exports={exports} named />
          <div className="panel-end">
            <Button variant="soft" onClick={() => setOpen(false)}>
              {t("Close")}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
