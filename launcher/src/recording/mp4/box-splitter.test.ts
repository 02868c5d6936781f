// Tests of the box splitter: boxes are returned whole and separately, however the pipe cuts the stream.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { createBoxSplitter } from "./boxes.ts";
import { BrokenStream } from "./broken-stream.ts";

const boxBytesMax = 4096;

type Taken = { type: string; bytes: Uint8Array };

function splitter() {
  const taken: Taken[] = [];
  return { taken, ...createBoxSplitter({ boxBytesMax, onBox: (type, bytes) => taken.push({ type, bytes }) }) };
}

function box(type: string, content: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + content.length);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, content]);
}

const someBoxes = fc.array(
  fc.record({ type: fc.constantFrom("moof", "mdat", "moov", "free"), content: fc.uint8Array({ maxLength: 300 }) }),
  {
    maxLength: 12,
  },
);

test("a stream in any pieces gives the same boxes", () => {
  fc.assert(
    fc.property(someBoxes, fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }), (made, sizes) => {
      const stream = Buffer.concat(made.map(({ type, content }) => box(type, content)));
      const { taken, push } = splitter();
      for (let at = 0, i = 0; at < stream.length; i++) {
        const size = sizes[i % sizes.length] as number;
        push(stream.subarray(at, at + size));
        at += size;
      }
      assert.deepEqual(
        taken.map(({ type, bytes }) => ({ type, bytes: Buffer.from(bytes) })),
        made.map(({ type, content }) => ({ type, bytes: box(type, content) })),
      );
    }),
  );
});

test("a stream that arrives byte by byte gives each box as soon as it is complete", () => {
  const { taken, push } = splitter();
  const stream = Buffer.concat([
    box("moof", Buffer.from("abc")),
    box("mdat", Buffer.alloc(0)),
    box("moof", Buffer.from("rest")),
  ]);
  const counts = Array.from(stream, (_, i) => {
    push(stream.subarray(i, i + 1));
    return taken.length;
  });
  assert.deepEqual([counts[9], counts[10], counts[17], counts[18], counts.at(-2), counts.at(-1)], [0, 1, 1, 2, 2, 3]);
});

test("a box has its own memory, so that it keeps no chunk of the pipe alive", () => {
  const { taken, push } = splitter();
  const chunk = Buffer.concat([box("moof", Buffer.from("one")), box("mdat", Buffer.from("two"))]);
  push(chunk);
  chunk.fill(0);
  for (const { bytes } of taken) assert.equal(bytes.buffer.byteLength, bytes.length);
  assert.equal(Buffer.from((taken[1] as Taken).bytes).toString("latin1", 4), "mdattwo");
});

test("a stream that is not MP4 fails with a message about its content", () => {
  const broken = (bytes: Buffer, message: RegExp) => {
    const { push } = splitter();
    assert.throws(() => push(bytes), { name: "BrokenStream", message });
  };
  broken(Buffer.from([0, 0, 0, 20, 1, 2, 3, 4]), /expected an MP4 box, got the bytes 0000001401020304/);
  broken(Buffer.from("Error: no such device\n"), /box "r: n" has 1165128303 bytes, at most 4096 are taken/);
  broken(Buffer.concat([Buffer.from([0, 0, 0, 0]), Buffer.from("mdat")]), /box "mdat" has the size 0/);
  broken(Buffer.concat([Buffer.from([0, 0, 16, 1]), Buffer.from("mdat")]), /box "mdat" has 4097 bytes/);
});

test("a broken stream stays broken", () => {
  const { taken, push } = splitter();
  assert.throws(() => push(Buffer.alloc(8)), BrokenStream);
  assert.throws(() => push(box("moof", Buffer.from("abc"))), BrokenStream);
  assert.deepEqual(taken, []);
});
