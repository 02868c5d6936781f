// Documentation examples for autostart.
import { type Autostart, getAutostart, setAutostart } from "@kit/contract";
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

export function showAutostart(show: Show): void {
  show(getAutostart, { reply: off });
  show(setAutostart, {
    body: { on: true },
    reply: { ...off, on: true, detail: "systemd starts Kit when you sign in." },
  });
}
