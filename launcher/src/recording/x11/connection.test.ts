// Tests of connections to real X servers.
import assert from "node:assert/strict";
import { test } from "vitest";
import { openDisplay } from "../../../../tools/engines/display.ts";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import { type Connection, openXDisplay, query } from "./connection.ts";

const number = ({ x }: { readonly x: Connection }, name: string) =>
  query<number>((reply) => x.InternAtom(false, name, reply));

test("each X server gives its own numbers to names, also one that starts after the first has ended", {
  skip: skipWithout("Xvfb"),
}, async () => {
  const [first, second] = [await openDisplay(), await openDisplay()];
  try {
    const before = await openXDisplay(first.name);
    assert.notEqual(await number(before, "KIT_ONE"), await number(before, "KIT_TWO"));
    before.close();
    const after = await openXDisplay(second.name);
    const two = await number(after, "KIT_TWO");
    const one = await number(after, "KIT_ONE");
    after.close();
    assert.ok(two !== undefined && one === two + 1, `KIT_TWO is ${two}, KIT_ONE is ${one}`);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
});
