// Lets programs that this process started on Windows outlive it.
import { getBuiltinModule } from "node:process";

/** Class, size and fields of JOBOBJECT_EXTENDED_LIMIT_INFORMATION. */
const extendedLimits = { type: 9, bytes: 144, flagsAt: 16 } as const;
const killOnClose = 0x2000;
/** Handles are multiples of 4, and the lowest free one is used. A process that has just begun to spawn has a few hundred. */
const highestHandle = 0x4000;

/**
 * Node puts the programs that it starts into a job, and Windows ends them when the job's only handle closes: with this process,
 * however that ends. This takes that property from the job. To be called after the first spawn. Does nothing on other systems.
 */
export function letChildrenOutlive(): void {
  const ffi = process.platform === "win32" ? getBuiltinModule("node:ffi") : undefined;
  if (ffi === undefined) return;
  const { functions } = ffi.dlopen("kernel32.dll", {
    QueryInformationJobObject: { arguments: ["u64", "i32", "buffer", "u32", "u64"], return: "i32" },
    SetInformationJobObject: { arguments: ["u64", "i32", "buffer", "u32"], return: "i32" },
  });
  const { type, bytes, flagsAt } = extendedLimits;
  const limits = Buffer.alloc(bytes);
  for (let handle = 4; handle < highestHandle; handle += 4) {
    if (functions.QueryInformationJobObject(BigInt(handle), type, limits, bytes, 0n) === 0) continue;
    limits.writeUInt32LE((limits.readUInt32LE(flagsAt) & ~killOnClose) >>> 0, flagsAt);
    // Fails for what is no job: Wine answers the query for every handle.
    functions.SetInformationJobObject(BigInt(handle), type, limits, bytes);
  }
}
