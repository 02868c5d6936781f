// Builds a self-extracting shell script with the signed Node binary, for systems that require signed programs.
import { createHash } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { nodeFlags } from "../../../launcher/src/process/node-flags.ts";
import { sha256Of } from "./boot/unpack.ts";
import type { Executable } from "./sea.ts";

/**
 * After unpacking, starts in a few milliseconds: boot.ts verifies the files, and Node is verified only by its size. The folder
 * appears through a rename; of two simultaneous starts, the later one discards its own copy.
 */
const header = (id: string, nodeBytes: number, lines: number) => `#!/bin/sh
# Kit as one file: unpacks itself once into a folder of yours and runs from there.
case "$(uname -s)" in
  Darwin) cache="\${HOME:?Kit needs HOME to know where to unpack itself}/Library/Caches/kit" ;;
  *) cache="\${XDG_CACHE_HOME:-\${HOME:?Kit needs HOME to know where to unpack itself}/.cache}/kit" ;;
esac
place="$cache/node-${id}"

# Nobody else may have put anything there: Node is run from it.
own() {
  [ -d "$cache" ] && [ ! -L "$cache" ] && [ -O "$cache" ] &&
    [ -z "$(find "$cache" -prune \\( -perm -0020 -o -perm -0002 \\))" ]
}

whole() {
  [ -x "$place/node" ] && [ -f "$place/boot.cjs" ] && [ -f "$place/files.json" ] && [ -f "$place/files.zst" ] &&
    [ $(($(wc -c <"$place/node"))) -eq ${nodeBytes} ]
}

sums() {
  if command -v shasum >/dev/null; then shasum -a 256 -c "$1"; else sha256sum -c "$1"; fi
}

unpack() (
  umask 077
  mkdir -p "$cache" && own && fresh=$(mktemp -d "$cache/node-fresh.XXXXXX") || exit 1
  trap 'rm -rf "$fresh"' EXIT
  LC_ALL=C tail -n +${lines + 1} "$1" | tar -xzf - -C "$fresh" || exit 1
  (cd "$fresh" && sums SUMS >/dev/null) || exit 1
  if [ -d "$place" ] && ! whole; then rm -rf "$place"; fi
  [ -d "$place" ] || mv "$fresh" "$place"
)

PATH="\${PATH:-}:/usr/bin:/bin:/usr/sbin:/sbin"
if ! { own && whole; } && ! { unpack "$0" && whole; }; then
  echo "Kit could not unpack itself into $cache. See that the disk has room and the folder is yours; or download Kit again." >&2
  exit 1
fi
exec "$place/node" ${nodeFlags.join(" ")} "$place/boot.cjs" "$@"
`;

const packedAt = new Date("1980-01-01T12:00:00Z");

export async function writeScript({ node, boot, payload, output }: Executable): Promise<void> {
  const program = readFileSync(node);
  const files = [
    { name: "node", body: program, mode: 0o700 },
    { name: "boot.cjs", body: Buffer.from(boot), mode: 0o600 },
    { name: "files.json", body: Buffer.from(payload.list), mode: 0o600 },
    { name: "files.zst", body: Buffer.from(payload.contents), mode: 0o600 },
  ];
  const sums = files.map(({ name, body }) => `${sha256Of(body)}  ${name}\n`).join("");
  const id = createHash("sha256").update(sums).digest("hex").slice(0, 32);
  const entries = [...files, { name: "SUMS", body: Buffer.from(sums), mode: 0o600 }].map(({ name, body, mode }) => ({
    header: { name, size: body.length, mode, mtime: packedAt, uid: 0, gid: 0 },
    body: new Uint8Array(body),
  }));
  const archive = gzipSync(await packTar(entries));
  const lines = header(id, program.length, 0).split("\n").length - 1;
  writeFileSync(output, Buffer.concat([Buffer.from(header(id, program.length, lines)), archive]));
  chmodSync(output, 0o755);
}
