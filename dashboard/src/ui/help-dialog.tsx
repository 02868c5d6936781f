// The dialog that lists the keyboard shortcuts, the button that opens it, and the hook by which a page uses both.
import { Button, IconButton, Kbd, Switch } from "@radix-ui/themes";
import { useId, useState } from "react";
import { useHealth } from "../api/use-health.ts";
import { t } from "../language/language.ts";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icon.tsx";
import { type ShortcutHandlers, shortcutHelp, useShortcutSwitch, useShortcuts } from "./shortcuts.ts";

type KeyHelp = readonly { readonly keys: readonly string[]; readonly says: string }[];

export function ShortcutList({ help }: { help: KeyHelp }) {
  return (
    <dl className="key-list">
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
  );
}

type Props = { help: KeyHelp; shortcuts: boolean; onShortcuts: (on: boolean) => void; onClose: () => void };

function HelpDialog({ help, shortcuts, onShortcuts, onClose }: Props) {
  const health = useHealth().data;
  const ids = { title: useId(), single: useId() };
  const singleKeys = help.flatMap(({ keys }) => keys.filter((key) => /^[\x21-\x7e]$/u.test(key)));
  return (
    <Dialog className="panel" labelledBy={ids.title} onClose={onClose}>
      <h2 id={ids.title}>{t("Keyboard shortcuts")}</h2>
      <ShortcutList help={help} />
      <label className="switch-label" htmlFor={ids.single}>
        <Switch id={ids.single} size="1" checked={shortcuts} onCheckedChange={onShortcuts} />
        {t("Single-key shortcuts ( {{keys}} )", { keys: singleKeys.join(" ") })}
      </label>
      <div className="spread quiet">
        <span>{health && `Kit ${health.version}`}</span>
        <Button variant="soft" onClick={onClose}>
          {t("Close")}
        </Button>
      </div>
    </Dialog>
  );
}

/** Registers a page's keyboard shortcuts. `?` opens the dialog that lists them. */
export function usePageKeys(handlers: ShortcutHandlers, help: KeyHelp = shortcutHelp()) {
  const [isOpen, setOpen] = useState(false);
  const [shortcuts, setShortcuts] = useShortcutSwitch();
  const open = () => setOpen(true);
  useShortcuts(shortcuts, { ...handlers, "?": open });
  const dialog = isOpen && (
    <HelpDialog help={help} shortcuts={shortcuts} onShortcuts={setShortcuts} onClose={() => setOpen(false)} />
  );
  return { open, dialog };
}

export function HelpButton({ onHelp }: { onHelp: () => void }) {
  const label = t("Shortcuts and help");
  return (
    <IconButton variant="soft" color="gray" aria-label={label} title={label} onClick={onHelp}>
      <Icon name="help" />
    </IconButton>
  );
}
