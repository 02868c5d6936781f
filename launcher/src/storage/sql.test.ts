// Tests of messages in columns of the database.

import assert from "node:assert/strict";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import { fromMessageColumn, toMessageColumn } from "./sql.ts";

test("a message, a text of another program and no message are read as they were written", () => {
  for (const written of [message("issue.unknown"), "No such file", null])
    assert.deepEqual(fromMessageColumn(toMessageColumn(written)), written);
});

test("a damaged message is read as its text", () => {
  for (const damaged of ["by its message", '{"text":"cut o', '{"code":"issue.unknown"}', "[1]", "7"])
    assert.equal(fromMessageColumn(damaged), damaged);
});
