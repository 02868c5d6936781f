// Tests of the parts that send: the accepted addresses, the cost of a frame, and answers of foreign servers.
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { openRecorder } from "../../rpgmaker/test/recorder.ts";
import { play, printed } from "./game.ts";

const skip = skipWithout("Godot");

/** A foreign server on the launcher's port. */
async function openStranger(greet: (socket: Socket) => void): Promise<{ url: string } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    greet(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function babbleWithoutEnd(socket: Socket): void {
  const babble = Buffer.alloc(65_536, "A");
  const go = () => {
    while (socket.writable && socket.write(babble)) {}
  };
  socket.on("drain", go);
  go();
}

/** Usable URLs, each with its `Host` header and path prefix. */
const usable = {
  "http://127.0.0.1:9876": "127.0.0.1:9876 ",
  "HTTP://LocalHost:9876": "LocalHost:9876 ",
  "http://pc": "pc ",
  "http://my_pc.local:80": "my_pc.local ",
  "http://127.0.0.1:": "127.0.0.1 ",
  "http://127.0.0.1:65535/kit/x": "127.0.0.1:65535 /kit/x",
  "http://[::1]:9876": "[::1]:9876 ",
  "http://[fe80::1]": "[fe80::1] ",
  " \t\u00a0\u3000\ufeffhttp://127.0.0.1:1//// \r\n": "127.0.0.1:1 ",
};

const unusable = [
  ...[
    "",
    " ",
    "nonsense",
    "127.0.0.1:9876",
    "//127.0.0.1",
    "http:/127.0.0.1",
    "http://",
    "http://:80",
    "ftp://127.0.0.1",
  ],
  ...[
    "https://127.0.0.1",
    "http://a b",
    "http://a\tb",
    "http://a:0",
    "http://a:65536",
    "http://a:99999999999",
    "http://a:-1",
  ],
  ...[
    "http://a:8o",
    "http://::1",
    "http://[::1",
    "http://[]",
    "http://[1.2.3.4]",
    "http://u:p@a",
    "http://a/?q",
    "http://a/#f",
  ],
  ...["http://a/ b", "http://\u00e4.de", "http://a/\u00e4", "http://[::1]x:1", "http://a:1:2"],
];

describe("sending from Godot", { skip, concurrent: true }, () => {
  test("a launcher URL is parsed, or known to be unusable, before the engine gets it", async () => {
    const urls = [...Object.keys(usable), ...unusable];
    const ready = `
const KitAddress = preload("res://addons/kit_sdk/kit_address.gd")
for url: String in JSON.parse_string(${JSON.stringify(JSON.stringify(urls))}):
	var address: KitAddress = KitAddress.parse(KitAddress.trimmed(url))
	print("null" if address == null else address.host_header() + " " + address.prefix)`;
    const parsed = printed(await play({ ready }));
    const expected = [...Object.values(usable), ...unusable.map(() => "null")];
    assert.deepEqual(
      urls.map((url, index) => [url, parsed[index]]),
      urls.map((url, index) => [url, expected[index]]),
    );
  });

  test("an address outside this machine's networks is not tried", async () => {
    const machines = {
      online: ["127.0.0.1", "0:0:0:0:0:0:0:1", "192.168.1.4", "fe80:0:0:0:1:2:3:4"],
      offline: ["127.0.0.1", "0:0:0:0:0:0:0:1"],
      "without IPv6": ["127.0.0.1", "192.168.1.4"],
      bare: [],
    };
    const hosts = ["::1", "10.1.2.3", "255.255.255.255", "fe80::1", "2001:db8::1"];
    const ready = `
var KitReach: GDScript = preload("res://addons/kit_sdk/kit_reach.gd")
print(KitReach.is_likely("127.0.0.1"), KitReach.is_likely("127.9.9.9"), KitReach.is_likely("0.0.0.0"))
for own: Array in ${JSON.stringify(Object.values(machines))}:
	var is_tried: Callable = func(host: String) -> bool: return KitReach.is_on_network(host, PackedStringArray(own))
	print("@", " ".join(${JSON.stringify(hosts)}.filter(is_tried)))`;
    assert.deepEqual(printed(await play({ ready })), [
      "truetruetrue",
      "@::1 10.1.2.3 fe80::1 2001:db8::1",
      "@::1",
      "@10.1.2.3",
      "@",
    ]);
  });

  test("the engine prints nothing about unusable addresses and unreachable hosts", async () => {
    const hosts = [
      "http://[::1]:1",
      "http://localhost:1",
      "http://a..b",
      "http://x:1",
      "http://nowhere.invalid",
      "http://1.2.3",
    ];
    const ready = `
for url: String in ${JSON.stringify([...unusable, ...hosts])}:
	KitSDK.launcher_url = url
	KitSDK.recording.trigger_event("sky_lost")
	await get_tree().process_frame`;
    assert.deepEqual(printed(await play({ ready })), []);
  });

  test("100,000 calls to a hanging launcher cost little time and little memory", async () => {
    await using launcher = await openStranger((socket) => socket.resume());
    const ready = `
await get_tree().create_timer(0.3).timeout
KitSDK.set_process(false)
var calls: PackedInt64Array = []
var frames: PackedInt64Array = []
var _sized: Array = [calls.resize(100000), frames.resize(500)]
var memory: int = OS.get_static_memory_usage()
for frame: int in 500:
	for number: int in 200:
		var before: int = Time.get_ticks_usec()
		KitSDK.monitor.report_error("The save file is damaged", "res://save.gd:12")
		calls[frame * 200 + number] = Time.get_ticks_usec() - before
	var began: int = Time.get_ticks_usec()
	KitSDK._process(0.0)
	frames[frame] = Time.get_ticks_usec() - began
	await get_tree().process_frame
memory = OS.get_static_memory_usage() - memory
calls.sort()
frames.sort()
print(calls[50000], " ", frames[490], " ", memory, " ", KitSDK._transport._pending)`;
    const outcome = await play({ ready, settings: { launcher_url: launcher.url } });
    const [callUsec = 0, frameUsec = 0, bytes = 0, pending = 0] = printed(outcome)[0]?.split(" ").map(Number) ?? [];
    assert.equal(pending, 64);
    assert.ok(callUsec <= 100, `the median call took ${callUsec} µs or more`);
    assert.ok(frameUsec <= 4_000, `the second worst of a hundred frames spent ${frameUsec} µs`);
    assert.ok(bytes < 2 * 1024 * 1024, `${bytes} bytes were kept`);
  });

  test("foreign servers that never end their answer or send no text delay no frame, and nothing is printed", async () => {
    await using endless = await openStranger(babbleWithoutEnd);
    await using noText = await openStranger((socket) =>
      socket.end(Buffer.from("HTTP/1.\0\xff\0\xff\0\xff\0", "latin1")),
    );
    await using torn = await openStranger((socket) => socket.end("HTTP/1.1 2"));
    const ready = (debug: boolean) => `
KitSDK.debug_logging = ${debug}
for url: String in ["${endless.url}", "${noText.url}", "${torn.url}"]:
	KitSDK.launcher_url = url
	for number: int in 20:
		KitSDK.recording.trigger_event("sky_babble")
		await get_tree().process_frame
	while KitSDK._transport._pending > 0:
		await get_tree().process_frame`;
    assert.deepEqual(printed(await play({ ready: ready(false) })), []);
    const printedLines = printed(await play({ ready: ready(true) }));
    const answered = "Kit: /api/recording/trigger: answered";
    const expected = [...Array(40).fill(`${answered} with something that is not HTTP`), ...Array(20).fill(answered)];
    assert.deepEqual(printedLines, expected);
  });

  test("a web export sends the same request", async () => {
    const launcher = await openRecorder();
    try {
      const ready = `
const KitAddress = preload("res://addons/kit_sdk/kit_address.gd")
const KitPayload = preload("res://addons/kit_sdk/kit_payload.gd")
const KitWebRequest = preload("res://addons/kit_sdk/kit_web_request.gd")
for url: String in ["${launcher.url}", "http://127.0.0.1:1"]:
	var payload: KitPayload = KitPayload.new({"message": "m\\t", "stackTrace": ""})
	var request: KitWebRequest = KitWebRequest.new(KitAddress.parse(url), "/api/monitor/report", payload)
	while not request.advance(Time.get_ticks_usec() + 1000):
		await get_tree().process_frame
	print(request.outcome)`;
      const outcomes = printed(await play({ ready }));
      assert.deepEqual(outcomes, ["answered 202", "nobody listens there, or the connection was closed"]);
      const [request] = launcher.requests;
      assert.equal(request?.headers["content-type"], "application/json");
      assert.match(request?.body.toString() ?? "", /^{"message":"m\\u0009","stackTrace":"","timestamp":"[^"]{24}"}$/);
    } finally {
      await launcher.close();
    }
  });
});
