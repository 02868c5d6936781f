// Installs Godot 4 and its release export template, which the current Debian release does not have.
import { provideFromForky } from "./forky.ts";

export function provideGodot(): void {
  provideFromForky({
    name: "godot",
    title: "Godot and its release template",
    packages: ["godot", "godot-template-release"],
    programs: ["usr/bin/godot", "usr/bin/godot-template-release"],
    // Graphics drivers, which a headless engine does not need.
    needless: /^(libllvm|libz3-|mesa-|fonts-|xkb-data|libc-gconv-)/,
    size: "120 MB",
  });
}
