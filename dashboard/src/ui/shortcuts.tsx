// Keyboard shortcuts of a page, the switch that turns single keys off for people who use dictation or similar tools,
// the dialog that lists the shortcuts, and the button that opens it.
import { Button, IconButton, Kbd, Switch } from "@radix-ui/themes";
import { useEffect, useId, useRef, useState } from "react";
import { useHealth } from "../api/use-launcher.ts";
import { t } from "../language/language.ts";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icon.tsx";

const shortcutHelp = () =>
  [
    { keys: ["↑", "↓"], says: t("Move between rows") },
    { keys: ["Enter"], says: t("Show the row's details") },
    { keys: ["Esc"], says: t("Close the details") },
    { keys: ["/"], says: t("Focus the filter") },
    { keys: ["p"], says: t("Pause, or show new events") },
    { keys: ["?"], says: t("Show this help") },
  ] as const;

const storageKey = "kit-shortcuts";

export function useShortcutSwitch(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => localStorage.getItem(storageKey) !== "off");
  const change = (next: boolean) => {
    localStorage.setItem(storageKey, next ? "on" : "off");
    setOn(next);
  };
  return [on, change];
}

const typing = "input, textarea, select, [contenteditable]";

type ShortcutHandlers = Readonly<Record<string, () => void>>;

/** Calls the action of a pressed key, except in fields, dialogs and popovers. */
export function useShortcuts(on: boolean, actions: ShortcutHandlers): void {
  const newest = useRef(actions);
  useEffect(() => {
    newest.current = actions;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as Element;
      if (target.closest("dialog, [popover]") !== null) return;
      const single = event.key.length === 1;
      if (single && (!on || target.closest(typing) !== null)) return;
      const action = newest.current[event.key];
      if (action === undefined) return;
      if (single) event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [on]);
}

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
