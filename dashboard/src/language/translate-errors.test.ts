// Tests of the launcher's errors in the page's language: they stay errors with the same code.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldError, KitError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { translateError } from "./translate-errors.ts";

test("in English an error keeps its message, its code and its cause", () => {
  const error = new KitError("not_found", message("event.unknown", { id: "x" }));
  const shown = translateError(error) as KitError;
  assert.deepEqual([shown.code, shown.message, shown.cause], ["not_found", "There is no event x.", error]);
});

test("every invalid field is named if there are several", () => {
  const expected = message("field.expected_value");
  const error = new KitError("payload_invalid", message("field.several", { problems: "…" }), [
    fieldError("/on", expected),
    fieldError("", expected),
  ]);
  assert.equal((translateError(error) as KitError).message, "/on: expected a value; body: expected a value");
});

test("an error of another type is returned unchanged", () => {
  const other = new TypeError("Failed to fetch");
  assert.equal(translateError(other), other);
});
