// Brings Godot 4 and its release export template: the current Debian release has neither.
import { provideFromForky } from "./forky.ts";

export function provideGodot(): void {
  provideFromForky({
    name: "godot",
    title: "Godot and its release template",
    packages: ["godot", "godot-template-release"],
    programs: ["usr/bin/godot", "usr/bin/godot-template-release"],
    // A third of the download draws on graphics cards, which a headless engine never does.
    needless: /^(libllvm|libz3-|mesa-|fonts-|xkb-data|libc-gconv-)/,
    size: "120 MB",
  });
}
