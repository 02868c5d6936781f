// Documentation examples for autostart.
import { type Autostart, type BodyOf, getAutostart, type Operation, type ReplyOf, setAutostart } from "@kit/contract";

const command = ["/opt/kit/kit", "start", "--no-open", "--port", "9876", "--data-dir", "/home/mika/.local/share/kit"];

const off: Autostart = {
  on: false,
  can: true,
  by: "systemd",
  place: "/home/mika/.config/systemd/user/kit.service",
  command,
  detail: "Kit starts when you start it.",
};

type Show = <O extends Operation>(operation: O, example: { body?: BodyOf<O>; reply?: ReplyOf<O> }) => void;

export function showAutostart(show: Show): void {
  show(getAutostart, { reply: off });
  show(setAutostart, {
    body: { on: true },
    reply: { ...off, on: true, detail: "systemd starts Kit when you sign in." },
  });
}
