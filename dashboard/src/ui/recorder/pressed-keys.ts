// Which hotkey pressed keys name, written as the launcher reads it. Pure.

export type PressedKeys = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "altKey" | "shiftKey" | "metaKey">;

const heldKeys = new Set(["Control", "Alt", "AltGraph", "Shift", "Meta", "OS"]);
/** Keys that type nothing. They may be hotkeys alone. */
const quietKeys = /^(?:F(?:[1-9]|1\d|2[0-4])|Pause|ScrollLock|Insert)$/u;
const otherKeys = /^(?:Home|End|PageUp|PageDown)$/u;

/** Returns the name of the key. A letter or digit that held keys or the layout changed is known by its place. */
function keyName({ key, code }: PressedKeys): string | undefined {
  if (key === "PrintScreen") return "Print";
  if (quietKeys.test(key) || otherKeys.test(key)) return key;
  if (code === "Space") return code;
  if (/^[a-z\d]$/iu.test(key)) return key.toUpperCase();
  return /^(?:Key|Digit)(.)$/u.exec(code)?.[1];
}

/** Returns "held" while only keys such as Ctrl are pressed, and undefined for keys that are no hotkey. */
export function hotkeyOf(pressed: PressedKeys): string | undefined {
  if (heldKeys.has(pressed.key)) return "held";
  const name = keyName(pressed);
  if (name === undefined) return undefined;
  const { ctrlKey, altKey, shiftKey, metaKey } = pressed;
  const isAlone = !ctrlKey && !altKey && !metaKey;
  if (isAlone && name !== "Print" && !quietKeys.test(name)) return undefined;
  return [ctrlKey && "Ctrl", altKey && "Alt", shiftKey && "Shift", metaKey && "Super", name]
    .filter((part) => part !== false)
    .join("+");
}

/** Returns the hotkey as the OS of this browser names its keys. */
export const hotkeyName = (hotkey: string, platform: string): string =>
  platform.startsWith("Win") ? hotkey.replace("Super", "Win") : hotkey;
