// Tests of parsing a body: JSON is parsed exactly, everything else is refused, and nothing takes long.
import assert from "node:assert/strict";
import { bodyBytesMax, bodyDepthMax } from "@kit/contract";
import fc from "fast-check";
import { test } from "vitest";
import { assertCostFollowsSize } from "../../../tools/run-tests/cost.ts";
import { parseBody } from "./body.ts";

const parse = (text: string) => parseBody(Buffer.from(text));
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test("any JSON value is parsed unchanged", () => {
  const property = fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
    assert.deepEqual(parse(JSON.stringify(value)).value, JSON.parse(JSON.stringify(value)));
  });
  fc.assert(property, { numRuns: 2_000 });
});

test("any text is parsed unchanged", () => {
  const text = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes));
  const property = fc.property(text, (value) => {
    assert.equal(parse(JSON.stringify(value)).value, value);
    if (value.isWellFormed()) assert.equal(parse(JSON.stringify({ value })).value instanceof Object, true);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test("any bytes give a value or a refusal, and no other error", () => {
  const property = fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
    try {
      parseBody(Buffer.from(bytes));
    } catch (error) {
      assert.match((error as { code?: string }).code ?? "", /^(not_json|payload_invalid)$/);
    }
  });
  fc.assert(property, { numRuns: 20_000 });
});

const refused: readonly (readonly [label: string, bytes: Uint8Array | string, code: string])[] = [
  ["nothing", "", "not_json"],
  ["blanks", "  \n", "not_json"],
  ["words", "eventId", "not_json"],
  ["a raw NUL", '"a\0"', "not_json"],
  ["half an escape", '"\\u12"', "not_json"],
  ["a text that ends within an escape", '"\\', "not_json"],
  ["closing braces only", "}}}}", "not_json"],
  ["more closed than opened", `${"]".repeat(100)}${nested(3)}`, "not_json"],
  ["half a character", Buffer.from([0x22, 0xf0, 0x9f, 0x98, 0x22]), "not_json"],
  ["latin-1", Buffer.from('"é"', "latin1"), "not_json"],
  ["one level too many", nested(bodyDepthMax + 1), "payload_invalid"],
  ["levels without end", "[".repeat(bodyBytesMax), "payload_invalid"],
];
for (const [label, bytes, code] of refused) {
  test(`${label} is refused as ${code}`, () => {
    assert.throws(() => parseBody(Buffer.from(bytes as string)), { code });
  });
}

test("the deepest allowed nesting is accepted", () => assert.ok(parse(nested(bodyDepthMax)).value));

test("braces in texts are not nesting, even after escapes", () => {
  const text = `${"[{".repeat(200)}\\"\\\\`;
  assert.equal(parse(JSON.stringify(text)).value, text);
  assert.deepEqual(parse(JSON.stringify({ [text]: text })).value, { [text]: text });
});

const repeats: readonly (readonly [body: string, repeated: boolean])[] = [
  ['{"a":1,"b":2}', false],
  ['{"a":1,"a":2}', true],
  ['{"a":1,"\\u0061":2}', true],
  ['{"a":{"b":1,"b":2}}', false],
  ['{"a":[{"x":1},{"x":2}]}', false],
  ['{"a:b":"c:d"}', false],
  ['{"__proto__":1,"a":2}', false],
  ['{"__proto__":1,"__proto__":2}', true],
  ["{}", false],
  ["[1,1]", false],
  ['"a:b"', false],
  ["null", false],
];
for (const [body, repeated] of repeats) {
  test(`${body} ${repeated ? "repeats" : "does not repeat"} a member`, () =>
    assert.equal(parse(body).repeated, repeated));
}

test("if a JSON member appears twice, the last value counts", () => {
  assert.deepEqual(parse('{"a":1,"a":2}').value, { a: 2 });
});

test("a member named __proto__ changes no prototype", () => {
  const { value } = parse('{"__proto__":{"polluted":true}}');
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal((value as { polluted?: boolean }).polluted, undefined);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test("the cost of the largest body is linear for any content", async () => {
  for (const unit of ["[", "][", '"', "\\", "\\\\", '{"a":', "é", "1"]) {
    await assertCostFollowsSize(`a body of ${unit}`, (share) => {
      const body = unit.repeat(Math.floor((bodyBytesMax * share) / unit.length));
      try {
        parse(unit === "\\\\" ? `"${body.slice(2)}"` : body);
      } catch {
        // Only the cost matters here.
      }
    });
  }
});
