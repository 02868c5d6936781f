// Parses frames of native code: what crash handlers of Godot, Unity, Android, macOS, iOS and Wine print. Addresses and offsets change with each run
// and build, so only the names of functions and modules are kept.
import { parseDotnetFrame } from "./dotnet-frame.ts";
import type { ParsedFrame } from "./frame.ts";

export function parseNativeFrame(line: string): ParsedFrame | undefined {
  if (line.startsWith("[")) return parseGodotLine(line);
  if (line.startsWith("0x")) return parseUnityLine(line);
  if (line.startsWith("#")) return parseAndroidLine(line);
  return parseAppleLine(line) ?? parseWineLine(line);
}

function nativeFrame(symbol: string, module: string): ParsedFrame {
  const name = symbol.replace(/\+ ?(?:0x[\da-f]+|\d+)$/i, "").trim();
  const isUnknown =
    name === "" || name.startsWith("??") || name.startsWith("0x") || name.includes("function-name not available");
  const file = module.slice(Math.max(module.lastIndexOf("/"), module.lastIndexOf("\\")) + 1);
  return { dialect: "native", function: isUnknown ? null : name, file: file || null, line: null, column: null };
}

/** Parses `[1] /lib/libc.so.6(+0x45320) [0x7f3c] (??:0)` and `[1] <couldn't map PC to fn name>`. */
function parseGodotLine(line: string): ParsedFrame | undefined {
  const end = line.indexOf("] ");
  if (end < 2 || end > 5 || Number.isNaN(Number(line.slice(1, end)))) return undefined;
  const text = line.slice(end + 2);
  if (text.startsWith("<couldn't map") || text.startsWith("error(")) return nativeFrame("", "");
  const address = text.indexOf(" [0x");
  const open = text.indexOf("(");
  if (address < 0 || open < 0 || open > address) return undefined;
  const close = text.lastIndexOf(")", address);
  return nativeFrame(text.slice(open + 1, Math.max(close, open + 1)), text.slice(0, open));
}

/** Parses `0x00007FFD1B2C3D4E (UnityPlayer) UnityMain` and `0x21746 (Mono JIT Code) [Enemy.cs:33] Ns.Enemy:Update ()`. */
function parseUnityLine(line: string): ParsedFrame | undefined {
  const found = /^0x[\da-f]+ \(([^)]*)\) (?:\[([^\]]*)\] )?(.*)$/i.exec(line);
  if (!found) return undefined;
  const [, module = "", place, symbol = ""] = found;
  const managed =
    module === "Mono JIT Code" ? parseDotnetFrame(place ? `${symbol} (at ${place})` : symbol, true) : undefined;
  return managed ?? nativeFrame(symbol, module);
}

/** Parses `#01 pc 00000000000a1b2c  /data/app/x/lib/arm64/libunity.so (symbol+12)`. */
function parseAndroidLine(line: string): ParsedFrame | undefined {
  const found =
    /^#\d{1,3}\s+pc (?:0x)?[\da-f]+\s+(\S+)(?: \(offset 0x[\da-f]+\))?(?: \((.*?)\))?(?: \(BuildId: [\da-f]+\))?$/i.exec(
      line,
    );
  return found ? nativeFrame(found[2] ?? "", found[1] ?? "") : undefined;
}

/** Parses `3   UnityFramework   0x0000000104a1b84 Mill_Grind_m5A1B2C3D + 116 (Mill.cpp:35)`. */
function parseAppleLine(line: string): ParsedFrame | undefined {
  const found = /^\d{1,3}\s{1,8}(\S[^\t]{0,80}?)\s{1,40}0x[\da-f]{8,16} (.+?) \+ \d+(?: \([^()]{0,300}\))?$/.exec(line);
  return found ? nativeFrame(found[2] ?? "", found[1] ?? "") : undefined;
}

/** Parses `=>0 0x007ffffb5983a6 in unityplayer (+0x9fd7a5) (0x0010)` and `1 0x7b89e81e VirtualAlloc+0x1d() in kernel32 (0x10)`. */
function parseWineLine(line: string): ParsedFrame | undefined {
  const found =
    /^(?:=>)?\d{1,3} 0x[\da-f]{8,16} (?:(\S{1,400}) )?in (.{1,80}?)(?: \(\+0x[\da-f]+\))? \(0x[\da-f]{8,16}\)$/.exec(
      line,
    );
  return found ? nativeFrame((found[1] ?? "").replace(/\(.*\)$/, ""), found[2] ?? "") : undefined;
}
