// Tests of what pactl prints, as PulseAudio 16 and PipeWire print it.
import assert from "node:assert/strict";
import { test } from "node:test";
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
