// The keys of a session's page wherever the focus is, and the dialog that explains them.
import { type RefObject, useState } from "react";
import { moveOf } from "../clips/player-keys.ts";
import { HelpDialog } from "../live/help-dialog.tsx";
import { useShortcutSwitch, useShortcuts } from "../live/shortcuts.ts";
import type { PlayerGo } from "./beside.tsx";
import type { Item } from "./items.ts";
import { sessionKeys } from "./session-keys.ts";
import { type ChangeZoom, closer, further } from "./zoom.ts";

type Needs = {
  go: RefObject<PlayerGo | undefined>;
  onZoom: ChangeZoom;
  opened: Item | undefined;
  onClose: () => void;
  back: string;
};

export function useSessionKeys({ go, onZoom, opened, onClose, back }: Needs) {
  const [isOpen, setOpen] = useState(false);
  const [shortcuts, setShortcuts] = useShortcutSwitch();
  const play = (key: string) => () => {
    const move = moveOf(key);
    if (move) go.current?.(move);
  };
  useShortcuts(shortcuts, {
    j: play("j"),
    k: play("k"),
    l: play("l"),
    "+": () => onZoom(closer),
    "=": () => onZoom(closer),
    "-": () => onZoom(further),
    "?": () => setOpen(true),
    Escape: () => {
      if (opened) onClose();
      else location.hash = back;
    },
  });
  const dialog = (
    <HelpDialog
      open={isOpen}
      onClose={() => setOpen(false)}
      shortcuts={shortcuts}
      onShortcuts={setShortcuts}
      help={sessionKeys()}
    />
  );
  return { open: () => setOpen(true), dialog };
}
