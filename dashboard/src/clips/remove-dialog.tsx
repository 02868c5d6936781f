// Asks before the one step that cannot be taken back.
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId } from "react";
import { Dialog } from "../frame/dialog.tsx";
import { visibleLine } from "../live/visible-text.ts";

type Props = { clip: Clip; onRemove: () => void; onClose: () => void };

export function RemoveDialog({ clip, onRemove, onClose }: Props) {
  const title = useId();
  return (
    <Dialog className="panel" labelledBy={title} onClose={onClose}>
      <h2 id={title}>Remove for good?</h2>
      <p>
        <bdi>{visibleLine(clip.title, 200)}</bdi> and its file will be gone. This cannot be undone.
      </p>
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          Keep it
        </Button>
        <Button color="ruby" onClick={onRemove}>
          Remove for good
        </Button>
      </div>
    </Dialog>
  );
}
