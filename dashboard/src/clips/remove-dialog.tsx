// Asks before the one step that cannot be taken back.
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId } from "react";
import { Dialog } from "../frame/dialog.tsx";
import { Trans, t } from "../language/language.ts";
import { visibleLine } from "../live/visible-text.ts";
import { OutsideText } from "./outside-text.tsx";

type Props = { clips: readonly Clip[]; onRemove: () => void; onClose: () => void };

export function RemoveDialog({ clips, onRemove, onClose }: Props) {
  const title = useId();
  const [first] = clips;
  return (
    <Dialog className="panel" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Remove for good?")}</h2>
      <p>
        {clips.length === 1 ? (
          <Trans
            i18nKey="<title /> and its file will be gone. This cannot be undone."
            components={{ title: <OutsideText text={visibleLine(first?.title ?? "", 200)} /> }}
          />
        ) : (
          t("{{count}} clips and their files will be gone. This cannot be undone.", {
            count: clips.length,
            defaultValue_one: "{{count}} clip and its file will be gone. This cannot be undone.",
          })
        )}
      </p>
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {clips.length === 1 ? t("Keep it") : t("Keep them")}
        </Button>
        <Button color="ruby" onClick={onRemove}>
          {t("Remove for good")}
        </Button>
      </div>
    </Dialog>
  );
}
