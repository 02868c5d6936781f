// Why tests do not run on Windows or macOS. Each reason is written here once; on Linux none of them holds.
// A program that a machine lacks is another reason: see `skipWithout` in locate.ts.
const isWindows = process.platform === "win32";
const isLinux = process.platform === "linux";

/** True where a test that needs this cannot run. */
export const cannot = {
  /** Windows starts no shell script, which stands in for a program such as ffmpeg. */
  startScripts: isWindows,
  /** Windows has no file modes, no umask and no named pipes among its files. */
  setFileModes: isWindows,
  /** Windows lets only some users make links. */
  makeLinks: isWindows,
  /** Windows has no signals: a process can be neither stopped nor asked to end. */
  sendSignals: isWindows,
  /** Only Linux shows the processes, connections, open files, memory and priorities of others in /proc. */
  readProc: !isLinux,
  /** Only Linux has the files and programs of freedesktop.org: menu entries, autostart, wl-copy, xdg-open. */
  useFreedesktop: !isLinux,
  /** The library that shows notifications fails everywhere but on macOS, and the test expects that failure. */
  seeNotifierFail: process.platform === "darwin",
} as const;
