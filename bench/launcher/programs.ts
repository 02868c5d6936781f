// Installs the load generator and nginx, or says what a person has to install.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export const pathOfNginx = (): string | undefined => programAt("nginx");

const say = (line: string) => console.error(`bench: ${line}`);

/** Also searches the folders for system programs, such as nginx. */
function programAt(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Installs wrk and nginx if missing. Throws if that is impossible. */
export function providePrograms(names: readonly ("wrk" | "nginx")[]): void {
  const missing = () => names.filter((name) => programAt(name) === undefined);
  if (missing().length === 0) return;
  const isDebian = existsSync("/usr/bin/apt-get");
  if (isDebian && process.getuid?.() === 0) {
    say(`installing ${missing().join(" and ")} (apt-get)`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const apt = (...words: string[]) => spawnSync("apt-get", ["-q", ...words], { stdio: ["ignore", 2, 2], env });
    apt("update");
    apt("install", "--yes", "--no-install-recommends", ...missing());
  }
  if (missing().length === 0) return;
  const how = isDebian
    ? `Install with: sudo apt-get install ${missing().join(" ")}`
    : "Install them and run this again.";
  throw new Error(`${missing().join(" and ")} missing. ${how}`);
}
