// What Kit's ffmpeg for Windows is made of: the pinned sources and compilers of Debian, the parts that Kit uses, and the commands.

export type Source = {
  /** Name of Debian's source package. */
  readonly name: string;
  /** Codename of the Debian release. */
  readonly suite: string;
  readonly version: string;
  readonly sha256: string;
  /** Licence texts in the source. */
  readonly licences: readonly string[];
};

/** ffmpeg of the next release, because the current one lacks gfxcapture. Debian's stable release changes rarely. */
export const sources: readonly Source[] = [
  {
    name: "ffmpeg",
    suite: "forky",
    version: "7:9.0.2-4",
    sha256: "8c3850283eb25fa026482078a04051e0be17347b09ef81a0849bec15a96e002e",
    licences: ["LICENSE.md", "COPYING.GPLv2"],
  },
  {
    name: "x264",
    suite: "trixie",
    version: "2:0.164.3108+git31e19f9-2",
    sha256: "41606cb8e788a7f8c4514290646d4ba5c7bc68d9e1ccd1a73f446a90546913eb",
    licences: ["COPYING"],
  },
  {
    name: "libwebp",
    suite: "trixie",
    version: "1.5.0-0.1",
    sha256: "7d6fab70cf844bf6769077bd5d7a74893f8ffd4dfb42861745750c63c2a5c92c",
    licences: ["COPYING", "PATENTS"],
  },
  {
    name: "nv-codec-headers",
    suite: "trixie",
    version: "12.1.14.0-1",
    sha256: "0ca1a0c85b149646fa6ce4d600584507fdccf5a23d58e668d8701e89cee0c3fb",
    licences: ["README"],
  },
  {
    name: "onevpl",
    suite: "bookworm",
    version: "2023.1.1-1",
    sha256: "c1cef32f8896e03fe16e502cd79ced9f1fffd1b6421c64a02ec5987fcf05b10b",
    licences: ["LICENSE"],
  },
];

/** The release whose headers for Windows declare what gfxcapture needs. */
export const toolsSuite = "forky";

/** Debian's packages whose version decides which bytes come out, and make and pkgconf, whose version does not. */
export const tools: Readonly<Record<string, string | undefined>> = {
  "gcc-mingw-w64-x86-64-win32": "16.2.0-1+29",
  "g++-mingw-w64-x86-64-win32": "16.2.0-1+29",
  "gcc-mingw-w64-x86-64-win32-runtime": "16.2.0-1+29",
  "binutils-mingw-w64-x86-64": "2.47-6+13.3+b1",
  "mingw-w64-common": "14.0.0-1",
  "mingw-w64-x86-64-dev": "14.0.0-1",
  "libz-mingw-w64-dev": "1.3.2+dfsg-1",
  nasm: "3.01-1",
  make: undefined,
  "pkgconf-bin": undefined,
};

/**
 * What the commands in `launcher/src/recording` use. No command uses `pcm_f32le`, `image2`, `select` and `showinfo` any more: they go
 * with the next change, because each change needs a new build.
 */
const parts = {
  indev: ["gdigrab", "dshow", "lavfi"],
  // bmp is what gdigrab delivers; hevc may be in a replay of OBS.
  decoder: ["h264", "hevc", "aac", "mjpeg", "png", "gif", "bmp", "rawvideo", "wrapped_avframe", "pcm_s16le"],
  encoder: [
    ...["libx264", "h264_nvenc", "h264_qsv", "h264_mf", "aac", "mjpeg", "png", "gif", "libwebp_anim"],
    ...["rawvideo", "wrapped_avframe", "pcm_s16le", "pcm_f32le"],
  ],
  // flv, matroska and mpegts: replays of OBS.
  demuxer: ["mov", "gif", "image_png_pipe", "image_jpeg_pipe", "pcm_s16le", "flv", "matroska", "mpegts"],
  muxer: [
    "mp4",
    "gif",
    "webp",
    "image2",
    "image2pipe",
    "mjpeg",
    "rawvideo",
    "null",
    "framecrc",
    "framehash",
    "ffmetadata",
    "pcm_f32le",
  ],
  parser: ["h264", "hevc", "aac", "mjpeg", "png", "gif"],
  bsf: ["aac_adtstoasc", "extract_extradata", "h264_mp4toannexb", "hevc_mp4toannexb", "null", "vp9_superframe"],
  protocol: ["file", "pipe"],
  filter: [
    ...["ddagrab", "gfxcapture", "hwdownload", "scale", "format", "fps", "crop", "pad", "setsar", "setparams"],
    ...["settb", "setpts", "trim", "atrim", "null", "anull", "aresample", "aformat", "extractplanes"],
    ...["palettegen", "paletteuse", "color", "testsrc2", "anullsrc", "select", "showinfo"],
  ],
} as const;

const target = "x86_64-w64-mingw32";
const cross = `${target}-`;

/** Prepares a command in the folder of a source. `@PREFIX@` is replaced by the folder of the finished libraries. */
type Step = { readonly source: string; readonly command: readonly string[]; readonly isParallel?: true };

const quickly = "-O2 -fno-ident";
const enabled = Object.entries(parts).map(([kind, names]) => `--enable-${kind}=${names.join(",")}`);
const webpLibraries = ["src/libwebp.a", "src/mux/libwebpmux.a", "sharpyuv/libsharpyuv.a"];

export const steps: readonly Step[] = [
  { source: "nv-codec-headers", command: ["make", "install", "PREFIX=@PREFIX@"] },
  {
    source: "x264",
    command: [
      ...["bash", "./configure", `--host=${target}`, `--cross-prefix=${cross}`, "--prefix=@PREFIX@", "--enable-static"],
      ...["--disable-cli", "--disable-opencl", "--disable-interlaced", "--bit-depth=8", "--chroma-format=420"],
    ],
  },
  { source: "x264", command: ["make", "install-lib-static"], isParallel: true },
  {
    source: "libwebp",
    command: [
      ...["make", "-f", "makefile.unix", `CC=${cross}gcc`, `AR=${cross}ar`, `CFLAGS=${quickly} -DNDEBUG -I. -Isrc`],
      ...webpLibraries,
    ],
    isParallel: true,
  },
  { source: "libwebp", command: ["sh", "-c", `cp ${webpLibraries.join(" ")} @PREFIX@/lib/`] },
  { source: "libwebp", command: ["cp", "-R", "src/webp", "@PREFIX@/include/webp"] },
  {
    source: "onevpl",
    command: [
      ...["sh", "-c"],
      `${cross}g++ ${quickly} -DMFX_DEPRECATED_OFF -Iapi -Iapi/vpl -Idispatcher -c dispatcher/windows/*.cpp dispatcher/vpl/*.cpp`,
    ],
  },
  { source: "onevpl", command: ["sh", "-c", `${cross}ar rcs @PREFIX@/lib/libvpl.a *.o`] },
  { source: "onevpl", command: ["cp", "-R", "api/vpl", "@PREFIX@/include/vpl"] },
  {
    source: "ffmpeg",
    command: [
      ...["sh", "./configure", "--arch=x86_64", "--target-os=mingw32", `--cross-prefix=${cross}`],
      ...["--pkg-config=pkgconf", "--pkg-config-flags=--static", "--extra-version=kit"],
      ...["--enable-gpl", "--enable-libx264", "--enable-libwebp", "--enable-zlib", "--enable-ffnvcodec"],
      ...["--enable-libvpl", "--enable-nvenc", "--enable-mediafoundation", "--enable-d3d11va"],
      ...["--disable-autodetect", "--disable-everything", "--disable-doc", "--disable-debug"],
      ...["--disable-ffplay", "--disable-ffprobe", "--disable-avdevice", "--enable-avdevice", "--disable-network"],
      ...["--disable-iamf", `--optflags=${quickly}`, "--extra-ldflags=-static -Wl,--no-insert-timestamp"],
      ...enabled,
    ],
  },
  { source: "ffmpeg", command: ["make", "ffmpeg.exe"], isParallel: true },
];

/** The descriptions by which ffmpeg's configure finds the libraries whose own build, which would write them, is not used. */
export const descriptions: Readonly<Record<string, string>> = {
  "libwebp.pc":
    "Name: libwebp\nDescription: WebP\nVersion: 1.5.0\nLibs: -L@PREFIX@/lib -lwebp -lsharpyuv\nCflags: -I@PREFIX@/include\n",
  "libwebpmux.pc":
    "Name: libwebpmux\nDescription: WebP\nVersion: 1.5.0\nRequires: libwebp\nLibs: -L@PREFIX@/lib -lwebpmux\nCflags: -I@PREFIX@/include\n",
  "vpl.pc":
    "Name: vpl\nDescription: Quick Sync\nVersion: 2.8\nLibs: -L@PREFIX@/lib -lvpl -lole32 -lgdi32 -luuid -ladvapi32 -lstdc++\nCflags: -I@PREFIX@/include -I@PREFIX@/include/vpl\n",
};
