// Tests of counts in texts, and that loading the contract uses no Intl.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { test } from "vitest";
import { formatCount } from "./counts.ts";

test("Counts have commas between thousands, as Intl writes them in English", () => {
  for (const count of [0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 1_234_567_890, Number.MAX_SAFE_INTEGER])
    assert.equal(formatCount(count), count.toLocaleString("en-US"));
});

/** Lets Intl, and the methods that use it, throw. */
const refuseIntl = `
  const refuse = () => { throw new Error("uses Intl"); };
  globalThis.Intl = new Proxy({}, { get: refuse });
  for (const type of [Number, BigInt, Date, String])
    for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString", "localeCompare"])
      if (name in type.prototype) type.prototype[name] = refuse;
`;

test("Loading the contract uses no Intl, which would cost every start 10 ms and 8 MB", () => {
  const contract = JSON.stringify(pathToFileURL(`${import.meta.dirname}/index.ts`).href);
  const code = `${refuseIntl} await import(${contract});`;
  execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", code]);
});
