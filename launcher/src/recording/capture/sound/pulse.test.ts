// Tests of what pactl prints, as PulseAudio 16 and PipeWire print it.
import assert from "node:assert/strict";
import { test } from "vitest";
import { parseDevices, parsePlayedStreams } from "./pulse.ts";

const listing = `Sink Input #7
	Driver: protocol-native.c
	Properties:
		media.name = "say \\"application.process.id = "
		application.process.id = "30125"
		application.process.binary = "game"

Sink Input #12
	Driver: PipeWire
	Properties:
		application.name = "x"
`;

test("each played stream is read with its process, if it says one", () => {
  assert.deepEqual(parsePlayedStreams(listing), [
    { id: 7, pid: 30_125 },
    { id: 12, pid: null },
  ]);
  assert.deepEqual(parsePlayedStreams(""), []);
});

test("a stream that names no process has that of its client at PipeWire", () => {
  const streams = `Sink Input #50
	Driver: PipeWire
	Client: 49
	Properties:
		application.name = "pw-play"

Sink Input #51
	Driver: PipeWire
	Client: 42
	Properties:
		application.process.id = "9"
`;
  const clients = `Client #42
	Driver: PipeWire
	Properties:
		pipewire.sec.pid = "20769"

Client #49
	Driver: PipeWire
	Properties:
		pipewire.sec.pid = "20779"
		application.process.id = "2"
`;
  assert.deepEqual(parsePlayedStreams(streams, clients), [
    { id: 50, pid: 20_779 },
    { id: 51, pid: 9 },
  ]);
});

test("a monitor is not taken for a microphone", () => {
  const info = (source: string) =>
    `Server Name: pulseaudio\nDefault Sink: speakers\nDefault Source: ${source}\nCookie: 1\n`;
  assert.deepEqual(parseDevices(info("headset")), { monitor: "speakers.monitor", microphone: "headset" });
  assert.deepEqual(parseDevices(info("speakers.monitor")), { monitor: "speakers.monitor", microphone: null });
  assert.deepEqual(parseDevices("Default Sink: @DEFAULT_SINK@\nDefault Source: \n"), {
    monitor: null,
    microphone: null,
  });
});
