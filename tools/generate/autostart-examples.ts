// Documentation examples for autostart.
import {
  type Autostart,
  type DesktopEntry,
  getAutostart,
  getDesktopEntry,
  setAutostart,
  setDesktopEntry,
} from "@kit/contract";
import type { Show } from "./show.ts";

const command = ["/opt/kit/kit", "start", "--no-open", "--port", "9876", "--data-dir", "/home/mika/.local/share/kit"];

const off: Autostart = {
  on: false,
  can: true,
  by: "systemd",
  place: "/home/mika/.config/systemd/user/kit.service",
  command,
  detail: "Kit starts when you start it.",
};

const menu: DesktopEntry = {
  on: false,
  can: true,
  place: "/home/mika/.local/share/applications/kit.desktop",
  command: ["/opt/kit/kit", "start", "--from-menu", "--port", "9876", "--data-dir", "/home/mika/.local/share/kit"],
  detail: "Kit is not in the menu of your desktop.",
};

export function showAutostart(show: Show): void {
  show(getAutostart, { reply: off });
  show(getDesktopEntry, { reply: menu });
  show(setDesktopEntry, {
    body: { on: true },
    reply: { ...menu, on: true, detail: "Kit is in the menu of your desktop." },
  });
  show(setAutostart, {
    body: { on: true },
    reply: { ...off, on: true, detail: "systemd starts Kit when you sign in." },
  });
}
