// Errors of the launcher are shown in the page's language and stay errors with the same code.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldError, KitError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { translateError } from "./translate-errors.ts";

test("in English an error says what the launcher said, and keeps its code and its cause", () => {
  const error = new KitError("not_found", message("event.unknown", { id: "x" }));
  const shown = translateError(error) as KitError;
  assert.deepEqual([shown.code, shown.message, shown.cause], ["not_found", "There is no event x.", error]);
});

test("of several invalid fields each is named", () => {
  const expected = message("field.expected_value");
  const error = new KitError("payload_invalid", message("field.several", { problems: "…" }), [
    fieldError("/on", expected),
    fieldError("", expected),
  ]);
  assert.equal((translateError(error) as KitError).message, "/on: expected a value; body: expected a value");
});

test("an error of another kind stays as it is", () => {
  const other = new TypeError("Failed to fetch");
  assert.equal(translateError(other), other);
});
