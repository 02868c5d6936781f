// Tests of desktop notifications with a real program in the place of notify-send: hostile text stays text.
import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import fc from "fast-check";
import { test } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { standInDesktop } from "../../../test/monitor/stand-in-desktop.ts";
import { createDesktopNotifier, toPlainText } from "./desktop-notifier.ts";

const hostile = [
  "<b>bold</b> & <a href='file:///etc/passwd'>here</a> <img src=x>",
  "&lt;b&gt; &amp; &#60;i&#62;",
  "--help",
  "-u critical",
  "--",
  "$(touch /tmp/kit-was-here) `id` ; rm -rf ~ | cat && exit 1 > x",
  '"; exit 1; "',
  "' ; exit 1 ; '",
  "\\074b\\076 \\n \\x3c \\\\ \\",
  "first line\nsecond line\r\n\tthird",
  "\u001b[2J\u001b]0;title\u0007 \u0000 \u0085",
  "\u202eesrever\u2066 \u200b\u200d\ufeff",
  "half \ud800 a pair \udfff",
  "%s%n%x ${HOME} %PATH%",
  "é ä 字 😀",
  "x".repeat(200_000),
];

/** Decodes a body as notify-send does: first C escapes, then markup. */
const read = (body: string) =>
  body
    .replace(/\\(.)/g, (_, letter) => (letter === "\\" ? "\\" : assert.fail(`\\${letter} is read as an escape`)))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

test("hostile text arrives as two bounded arguments without options, markup, escapes or hidden characters", async () => {
  using stand = standInDesktop();
  const desktop = createDesktopNotifier({ searchPath: stand.folder, onFailure: (reason) => assert.fail(reason) });
  for (const text of hostile) assert.equal(await desktop.show({ title: text, body: text }), null, text.slice(0, 40));
  const calls = stand.calls();
  assert.equal(calls.length, hostile.length);
  for (const [index, [app, dashes, title = "", body = "", ...more]] of calls.entries()) {
    const text = hostile[index] ?? "";
    assert.deepEqual([app, dashes, more], ["--app-name=Kit", "--", []]);
    assert.equal(title, toPlainText(text, 100));
    assert.doesNotMatch(body, /[<>]|&(?!lt;|gt;|amp;)/);
    assert.equal(read(body), toPlainText(text, 240));
  }
});

test("plain text contains no hidden characters, is bounded in characters, and keeps what is readable", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.integer({ min: 2, max: 60 }), (text, charsMax) => {
      const plain = toPlainText(text, charsMax);
      assert.ok(Array.from(plain).length <= charsMax && plain.isWellFormed());
      assert.doesNotMatch(plain, /[\p{C}\u2028\u2029\n\t]/u);
      assert.equal(toPlainText(plain, charsMax), plain);
    }),
  );
  assert.equal(toPlainText("  Die Tür – 字 – klemmt  \n hier ", 60), "Die Tür – 字 – klemmt hier");
});

test("without notify-send the notifier says what to install, logs it once, and works once it is installed", async () => {
  using stand = standInDesktop();
  stand.remove();
  const failures: string[] = [];
  const desktop = createDesktopNotifier({
    searchPath: `relative:${stand.folder}`,
    onFailure: (reason) => failures.push(reason),
  });
  const says = /^Desktop notifications are not available: install libnotify-bin/;
  assert.match(textOf((await desktop.trouble()) ?? ""), says);
  for (let n = 0; n < 3; n += 1) assert.match(textOf((await desktop.show({ title: "Kit", body: "x" })) ?? ""), says);
  assert.equal(failures.length, 1);
  stand.setScript("");
  assert.equal(await desktop.trouble(), null);
  assert.equal(await desktop.show({ title: "Kit", body: "x" }), null);
});

test("a desktop that fails or does not answer is reported in its own cleaned words, and nothing throws", async () => {
  using stand = standInDesktop();
  const failures: string[] = [];
  const onFailure = (reason: string) => failures.push(reason);
  const desktop = createDesktopNotifier({ searchPath: stand.folder, onFailure, answerWithinMs: 3_000 });
  stand.setScript("printf 'no \\033[2Jsession bus\\n' >&2; exit 1");
  const reason = "Desktop notifications are not available: no [2Jsession bus.";
  assert.equal((await desktop.show({ title: "Kit", body: "x" }))?.text, reason);
  assert.equal((await desktop.trouble())?.text, reason);
  stand.setScript("exec sleep 60");
  assert.match(textOf((await desktop.show({ title: "Kit", body: "x" })) ?? ""), /did not finish/);
  assert.deepEqual(failures, [reason]);
  stand.setScript("");
  assert.equal(await desktop.show({ title: "Kit", body: "x" }), null);
  assert.equal(await desktop.trouble(), null);
});

test("on other systems a library shows notifications and reports if it cannot; macOS and Windows were not run", {
  skip: cannot.seeNotifierFail,
}, async () => {
  const desktop = createDesktopNotifier({ searchPath: "", onFailure: () => undefined, platform: "darwin" });
  const says = await desktop.show({ title: "Kit", body: "x" });
  assert.match(textOf(says ?? ""), /^Desktop notifications are not available: You need Mac OS X/);
});
