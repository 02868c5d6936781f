// Queries Windows about processes through its system libraries. Opens each process only to query it. Never reads process
// memory, because anti-cheat software watches for that.
import { dirname } from "node:path/win32";
import { getBuiltinModule } from "node:process";
import { openWindowsClipboard } from "../../../process/windows-clipboard.ts";
import { openDesktop } from "./desktop-windows.ts";
import { createSystemProcesses, type ProcessReader, type SystemProcesses } from "./system-processes.ts";
import { findAncestors, findPidsInTables, readProcessTable, splitCommandLine } from "./windows-tables.ts";

const queryLimitedInformation = 0x1000;
const families = { v4: 2, v6: 23 } as const;
/** TCP_TABLE_OWNER_PID_CONNECTIONS: all connections, without listening sockets. */
const connectionsWithPids = 4;
const insufficientBuffer = 122;
const stillActive = 259;
const basicInformation = { type: 0, bytes: 48, parent: 40 };
/** A UNICODE_STRING, followed by its characters. Windows has it since 8.1, and Wine 10 has not. */
const commandLineInformation = { type: 60, text: 16, bytesMax: 65_536 + 32 };
/** STATUS_INFO_LENGTH_MISMATCH */
const allProcesses = { type: 5, tooShort: 0xc0000004 } as const;
const commandCharsMax = 1_000;
const pathCharsMax = 32_768;
/** Maximum attempts to read a table that grows while it is read. */
const attemptsMax = 5;

function loadFunctions() {
  const ffi = getBuiltinModule("node:ffi");
  if (ffi === undefined) return undefined;
  const { functions: network } = ffi.dlopen("iphlpapi.dll", {
    GetExtendedTcpTable: { arguments: ["buffer", "buffer", "i32", "u32", "i32", "u32"], return: "u32" },
  });
  const { functions: kernel } = ffi.dlopen("kernel32.dll", {
    OpenProcess: { arguments: ["u32", "i32", "u32"], return: "pointer" },
    CloseHandle: { arguments: ["pointer"], return: "i32" },
    GetExitCodeProcess: { arguments: ["pointer", "buffer"], return: "i32" },
    GetProcessTimes: { arguments: ["pointer", "buffer", "buffer", "buffer", "buffer"], return: "i32" },
    K32EnumProcesses: { arguments: ["buffer", "u32", "buffer"], return: "i32" },
    QueryFullProcessImageNameW: { arguments: ["pointer", "u32", "buffer", "buffer"], return: "i32" },
  });
  const { functions: native } = ffi.dlopen("ntdll.dll", {
    NtQuerySystemInformation: { arguments: ["i32", "buffer", "u32", "buffer"], return: "u32" },
    NtQueryInformationProcess: { arguments: ["pointer", "i32", "buffer", "u32", "buffer"], return: "i32" },
  });
  return { ...network, ...kernel, ...native };
}

type Functions = NonNullable<ReturnType<typeof loadFunctions>>;

/** Returns the table of all connections. */
function createTableReader(functions: Functions) {
  let table = Buffer.alloc(64 * 1024);
  const size = Buffer.alloc(4);
  return (family: keyof typeof families): Buffer => {
    let failure = insufficientBuffer;
    for (let attempt = 0; attempt < attemptsMax && failure === insufficientBuffer; attempt += 1) {
      size.writeUInt32LE(table.length);
      failure = functions.GetExtendedTcpTable(table, size, 0, families[family], connectionsWithPids, 0);
      // Connections that open meanwhile need room, too.
      if (failure === insufficientBuffer) table = Buffer.alloc(size.readUInt32LE() + 16 * 1024);
    }
    if (failure !== 0) throw new Error(`GetExtendedTcpTable failed with ${failure}`);
    return table;
  };
}

/** Returns a reader of the table of all processes. It opens none of them, so it also has those that refuse that. */
function createProcessTableReader(functions: Functions) {
  let table = Buffer.alloc(512 * 1024);
  const size = Buffer.alloc(4);
  return (): Buffer => {
    const { type, tooShort } = allProcesses;
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const failure = functions.NtQuerySystemInformation(type, table, table.length, size);
      if (failure === 0) return table.subarray(0, size.readUInt32LE());
      if (failure !== tooShort) throw new Error(`NtQuerySystemInformation failed with 0x${failure.toString(16)}`);
      table = Buffer.alloc(table.length * 2);
    }
    throw new Error("the table of processes grows too fast");
  };
}

function createReader(functions: Functions): ProcessReader {
  let desktop: ReturnType<typeof openDesktop>;
  let clipboard: ReturnType<typeof openWindowsClipboard>;
  const readTable = createTableReader(functions);
  const readProcesses = createProcessTableReader(functions);
  const number = Buffer.alloc(8);
  const times = [0, 1, 2, 3].map(() => Buffer.alloc(8)) as [Buffer, Buffer, Buffer, Buffer];
  const name = Buffer.alloc(pathCharsMax * 2);
  const information = Buffer.alloc(commandLineInformation.bytesMax);

  /** Opens a running process for `read`. Undefined if it has ended, or belongs to another user. */
  function withProcess<T>(pid: number, read: (handle: bigint) => T): T | undefined {
    const handle = functions.OpenProcess(queryLimitedInformation, 0, pid);
    if (handle === 0n) return undefined;
    try {
      // An ended process can be opened as long as another program holds it.
      const isRunning = functions.GetExitCodeProcess(handle, number) !== 0 && number.readUInt32LE() === stillActive;
      return isRunning ? read(handle) : undefined;
    } finally {
      functions.CloseHandle(handle);
    }
  }

  const query = (handle: bigint, type: number, bytes: number) =>
    functions.NtQueryInformationProcess(handle, type, information, bytes, number) === 0;

  return {
    findPids: (connections) => findPidsInTables(connections, readTable),
    listPids() {
      for (let bytes = 4_096; ; bytes *= 2) {
        const pids = Buffer.alloc(bytes);
        if (functions.K32EnumProcesses(pids, bytes, number) === 0) throw new Error("EnumProcesses failed");
        const used = number.readUInt32LE();
        // If the buffer is full, some process ids may be missing.
        if (used < bytes) return Array.from({ length: used / 4 }, (_, index) => pids.readUInt32LE(index * 4));
      }
    },
    readPath: (pid) =>
      withProcess(pid, (handle) => {
        number.writeUInt32LE(pathCharsMax);
        const isKnown = functions.QueryFullProcessImageNameW(handle, 0, name, number) !== 0;
        return isKnown ? name.toString("utf16le", 0, number.readUInt32LE() * 2) : undefined;
      }),
    readStart: (pid) =>
      withProcess(pid, (handle) =>
        functions.GetProcessTimes(handle, ...times) === 0 ? undefined : String(times[0].readBigUInt64LE()),
      ),
    readParent: (pid) =>
      withProcess(pid, (handle) => {
        const { type, bytes, parent } = basicInformation;
        return query(handle, type, bytes) ? Number(information.readBigUInt64LE(parent)) : undefined;
      }),
    readCommand(pid) {
      const { type, text, bytesMax } = commandLineInformation;
      const line = withProcess(pid, (handle) => {
        if (!query(handle, type, bytesMax)) return undefined;
        return information.toString("utf16le", text, text + information.readUInt16LE(0));
      });
      if (line === undefined) return { command: "", arguments: null };
      return { command: line.trim().slice(0, commandCharsMax), arguments: splitCommandLine(line) };
    },
    // The working folder is in the memory of the process. Explorer starts programs in their own folder.
    readFolder: (_pid, path) => dirname(path),
    isEarlier: (startedAt, other) => BigInt(startedAt) <= BigInt(other),
    // Loads more libraries, which most launchers never need.
    listWindows() {
      desktop ??= openDesktop();
      const processes = readProcessTable(readProcesses());
      return (desktop?.listWindows() ?? []).map((window) => {
        return { ...window, ancestors: findAncestors(processes, window.pid) };
      });
    },
    listMonitors() {
      desktop ??= openDesktop();
      return desktop?.listMonitors() ?? [];
    },
    isScreenFilled() {
      desktop ??= openDesktop();
      return desktop?.isScreenFilled();
    },
    copyFiles(paths) {
      clipboard ??= openWindowsClipboard();
      return clipboard?.copyFiles(paths) ?? "refused";
    },
  };
}

/** Returns undefined if this Node cannot call functions of the system. */
export function openWindowsProcesses(): SystemProcesses | undefined {
  const functions = loadFunctions();
  return functions && createSystemProcesses(createReader(functions));
}

/** Windows counts the start times of processes in units of 100 ns since 1601. */
export const windowsStartMs = (startedAt: string): number =>
  Number((BigInt(startedAt) - 116_444_736_000_000_000n) / 10_000n);
