// Tests of the name of a download.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { attachmentHeader, attachmentName } from "./attachment.ts";

test("a plain name is in the header as it is, and another one keeps its letters beside what is plain of it", () => {
  assert.equal(attachmentHeader("Saga Boss.mp4"), 'attachment; filename="Saga Boss.mp4"');
  assert.equal(
    attachmentHeader("2026-11-21 東方 ボス (1).mp4"),
    "attachment; filename=\"2026-11-21 (1).mp4\"; filename*=UTF-8''2026-11-21%20%E6%9D%B1%E6%96%B9%20%E3%83%9C%E3%82%B9%20%281%29.mp4",
  );
});

test("any name is read from its header unchanged, and the header is plain ASCII", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(name, (given) => {
      const header = attachmentHeader(`${given}.mp4`);
      assert.match(header, /^[ -~]+$/);
      assert.equal(attachmentName(header, "none"), `${given}.mp4`.toWellFormed());
    }),
  );
  assert.equal(attachmentName(null, "frame.png"), "frame.png");
});
