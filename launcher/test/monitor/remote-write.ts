// Passes sums of OpenTelemetry on to Prometheus, as a collector does: with the names of OpenTelemetry's "Prometheus and OpenMetrics
// compatibility" and the times of the points, by Prometheus's remote write 1.0. Debian builds Prometheus without its own receiver.
import assert from "node:assert/strict";

type Attributes = readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
type Point = {
  readonly attributes: Attributes;
  readonly timeUnixNano: string;
  readonly asInt?: number;
  readonly asDouble?: number;
};
type Sum = {
  readonly isMonotonic: boolean;
  readonly aggregationTemporality: number;
  readonly dataPoints: readonly Point[];
};
type Resource = {
  readonly resource: { readonly attributes: Attributes };
  readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string; readonly sum: Sum }[] }[];
};
type Series = { readonly labels: Readonly<Record<string, string>>; readonly value: number; readonly atMs: number };

const plain = (attributes: Attributes) =>
  Object.fromEntries(attributes.map((one) => [one.key, one.value.stringValue ?? ""]));
const asName = (text: string) => text.replaceAll(/[^A-Za-z0-9_]/g, "_");

/** Attributes of a resource other than its name and instance become no labels. */
function seriesOf({ resource, scopeMetrics }: Resource): Series[] {
  const { "service.name": job = "", "service.instance.id": instance } = plain(resource.attributes);
  return scopeMetrics.flatMap(({ metrics }) =>
    metrics.flatMap(({ name, sum }) => {
      assert.deepEqual([sum.isMonotonic, sum.aggregationTemporality], [true, 2], "only such a sum gets this name");
      return sum.dataPoints.map(({ attributes, timeUnixNano, asInt, asDouble }) => ({
        labels: {
          __name__: `${asName(name)}_total`,
          job,
          ...(instance !== undefined && { instance }),
          ...Object.fromEntries(Object.entries(plain(attributes)).map(([key, value]) => [asName(key), value])),
        },
        value: Number(asInt ?? asDouble),
        atMs: Number(BigInt(timeUnixNano) / 1_000_000n),
      }));
    }),
  );
}

function varint(number: number): Buffer {
  const bytes: number[] = [];
  let left = BigInt(number);
  for (; left >= 128n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return Buffer.from([...bytes, Number(left)]);
}
/** A field of a protobuf message with a length. */
const field = (number: number, content: Buffer | string) =>
  Buffer.concat([varint(number * 8 + 2), varint(Buffer.byteLength(content)), Buffer.from(content)]);

function encoded({ labels, value, atMs }: Series): Buffer {
  const double = Buffer.alloc(9, 1 * 8 + 1);
  double.writeDoubleLE(value, 1);
  const sample = Buffer.concat([double, varint(2 * 8), varint(atMs)]);
  // Prometheus wants the labels sorted.
  const sorted = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1));
  const parts = sorted.map(([name, text]) => field(1, Buffer.concat([field(1, name), field(2, text)])));
  return field(1, Buffer.concat([...parts, field(2, sample)]));
}

/** Snappy's format without compression: its length, and pieces as they are. */
function packed(content: Buffer): Buffer {
  const pieces: Buffer[] = [varint(content.length)];
  for (let at = 0; at < content.length; at += 65_536) {
    const piece = content.subarray(at, at + 65_536);
    const head = Buffer.alloc(3, 61 * 4);
    head.writeUInt16LE(piece.length - 1, 1);
    pieces.push(head, piece);
  }
  return Buffer.concat(pieces);
}

/** Returns the status and what Prometheus says. */
export async function writeSums(prometheus: string, body: string): Promise<{ status: number; text: string }> {
  const { resourceMetrics } = JSON.parse(body) as { resourceMetrics: Resource[] };
  const answer = await fetch(`${prometheus}/api/v1/write`, {
    method: "POST",
    headers: {
      "content-type": "application/x-protobuf",
      "content-encoding": "snappy",
      "x-prometheus-remote-write-version": "0.1.0",
    },
    body: new Uint8Array(packed(Buffer.concat(resourceMetrics.flatMap(seriesOf).map(encoded)))),
  });
  return { status: answer.status, text: await answer.text() };
}
