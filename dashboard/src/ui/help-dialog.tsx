// The dialog with the keyboard shortcuts, and the button that opens it.
import { Button, IconButton, Kbd, Switch } from "@radix-ui/themes";
import { useEffect, useId, useRef } from "react";
import { useHealth } from "../api/use-health.ts";
import { t } from "../language/language.ts";
import { Icon } from "./icon.tsx";
import { shortcutHelp } from "./shortcuts.ts";

type Props = {
  open: boolean;
  onClose: () => void;
  shortcuts: boolean;
  onShortcuts: (on: boolean) => void;
  /** Shortcuts of the page; by default those of the Live page. */
  help?: readonly { readonly keys: readonly string[]; readonly says: string }[];
};

export function HelpDialog({ open, onClose, shortcuts, onShortcuts, help = shortcutHelp() }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const health = useHealth().data;
  const single = useId();
  const singleKeys = help.flatMap(({ keys }) => keys.filter((key) => /^[\x21-\x7e]$/u.test(key)));
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} className="help" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">{t("Keyboard shortcuts")}</h2>
      <dl>
        {help.map(({ keys, says }) => (
          <div key={says}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
      <label className="help-switch" htmlFor={single}>
        <Switch id={single} size="1" checked={shortcuts} onCheckedChange={onShortcuts} />
        {t("Single-key shortcuts ( {{keys}} )", { keys: singleKeys.join(" ") })}
      </label>
      <div className="help-end">
        <span>{health && `Kit ${health.version}`}</span>
        <Button variant="soft" onClick={onClose}>
          {t("Close")}
        </Button>
      </div>
    </dialog>
  );
}

export function HelpButton({ onHelp }: { onHelp: () => void }) {
  const label = t("Shortcuts and help");
  return (
    <IconButton variant="soft" color="gray" aria-label={label} title={label} onClick={onHelp}>
      <Icon name="help" />
    </IconButton>
  );
}
