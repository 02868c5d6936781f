// Tests of numbers that a person typed: they mean what they mean in the reader's language, and what can mean two is asked about.
import assert from "node:assert/strict";
import { test } from "vitest";
import { readNumber, writeNumber } from "./numbers.ts";

const none = "none";
/** The typed text, what it means in English, and what it means in German; two numbers if it can mean either. */
const table: readonly (readonly [string, number | string, number | string])[] = [
  ["0", 0, 0],
  ["7", 7, 7],
  ["007", 7, 7],
  ["1000", 1_000, 1_000],
  ["86400", 86_400, 86_400],
  ["1,000", 1_000, "1 or 1000"],
  ["1.000", "1 or 1000", 1_000],
  ["86,400", 86_400, "86.4 or 86400"],
  ["86.400", "86.4 or 86400", 86_400],
  ["1,500", 1_500, "1.5 or 1500"],
  ["999,999", 999_999, "999.999 or 999999"],
  ["1 000", 1_000, 1_000],
  ["1\u00a0000", 1_000, 1_000],
  ["1\u202f000", 1_000, 1_000],
  ["1'000", 1_000, 1_000],
  ["1’000’000", 1_000_000, 1_000_000],
  ["1,000,000", 1_000_000, 1_000_000],
  ["1.000.000", 1_000_000, 1_000_000],
  ["1,234.5", 1_234.5, 1_234.5],
  ["1.234,5", 1_234.5, 1_234.5],
  ["1 234,5", 1_234.5, 1_234.5],
  ["1'234.50", 1_234.5, 1_234.5],
  ["0,5", 0.5, 0.5],
  ["0.5", 0.5, 0.5],
  [".5", 0.5, 0.5],
  [",5", 0.5, 0.5],
  ["1,5", 1.5, 1.5],
  ["1.5", 1.5, 1.5],
  ["10,00", 10, 10],
  ["10.00", 10, 10],
  ["0,125", 0.125, 0.125],
  ["0.125", 0.125, 0.125],
  ["1,0000", 1, 1],
  ["1234,567", 1_234.567, 1_234.567],
  ["5.", 5, 5],
  [" 12 ", 12, 12],
  ["-3", -3, -3],
  ["−3,5", -3.5, -3.5],
  ["１２．５", 12.5, 12.5],
  ["", none, none],
  ["   ", none, none],
  ["abc", none, none],
  ["12 s", none, none],
  ["1e3", none, none],
  ["0x10", none, none],
  ["Infinity", none, none],
  ["1 00", none, none],
  ["1,00,000", none, none],
  ["1.000,000.5", none, none],
  ["1,000.000.5", none, none],
  ["12,34,5", none, none],
  [",", none, none],
  ["1,,5", none, none],
  ["1 000,000 1", none, none],
];

const meaning = (typed: string, tag: string): number | string => {
  const reading = readNumber(typed, tag);
  if (reading.is === "number") return reading.value;
  return reading.is === "unclear" ? reading.readings.join(" or ") : none;
};

test("a typed number means what it means in the reader's language, and a mark that can mean two things is asked about", () => {
  for (const [typed, english, german] of table)
    assert.deepEqual([meaning(typed, "en"), meaning(typed, "de")], [english, german], JSON.stringify(typed));
});

test("what a field shows is read back as the same number, without a question", () => {
  for (const tag of ["en", "de", "de-CH", "fr", "ja", "hi", "ar-EG"])
    for (const value of [0, 0.5, 1, 1.5, 12.345, 86_400, 1_000_000, 0.125, 1_234.567, -2.25])
      assert.deepEqual([tag, meaning(writeNumber(value, tag), tag)], [tag, value]);
  assert.deepEqual([writeNumber(86_400, "en"), writeNumber(1.5, "de")], ["86400", "1,5"]);
});
