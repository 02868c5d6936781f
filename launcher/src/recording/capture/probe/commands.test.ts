// Tests of the capture command for each system. The commands for Windows and macOS follow the documentation and are not run.
import assert from "node:assert/strict";
import { test } from "vitest";
import {
  bitRate,
  type CaptureSpec,
  captureArgs,
  encoderTestArgs,
  outputSize,
  stillArgs,
  windowTitlePattern,
} from "./commands.ts";

const software = { name: "libx264", preset: "superfast", device: null } as const;
const order: CaptureSpec = {
  input: { kind: "x11-screen", display: ":0", x: 0, y: 0 },
  inputSize: { width: 1920, height: 1080 },
  heightMax: 720,
  frameRate: 30,
  quality: "standard",
  sound: null,
  encoder: software,
  hasFpsMode: true,
};

const text = (changed: Partial<CaptureSpec>) => captureArgs({ ...order, ...changed }).join(" ");

// A keyframe one second after the last; epoch times; fragments of one frame; no trailer.
const keys = "-force_key_frames expr:if(isnan(prev_forced_t),1,gte(t,prev_forced_t+1))";
const stream =
  "-f mp4 -movflags +frag_keyframe+empty_moov+default_base_moof+frag_discont+skip_trailer -frag_duration 33000 -flush_packets 1 -avoid_negative_ts disabled pipe:1";
const times = "-fps_mode passthrough -enc_time_base 1:90000";
// Every picture is converted to BT.709 and says so, because players assume it.
const converted = ":out_color_matrix=bt709:out_range=tv,";
const named = "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709";
const tags = "-color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709";
const x264 = `-c:v libx264 -preset superfast -tune zerolatency -threads 1 -bf 0 -crf 23 -maxrate 8000000 -bufsize 8000000 -g 120 ${keys} ${tags}`;

test("the command for an X screen has capture times, a smaller size, one thread and no delayed frames", () => {
  assert.equal(
    text({}),
    `-v warning -nostats -thread_queue_size 8 -f x11grab -draw_mouse 1 -framerate 30 -video_size 1920x1080 -i :0+0,0 -copyts -vf scale=1280:720:flags=fast_bilinear${converted}format=yuv420p,${named} -map 0:v ${times} ${x264} ${stream}`,
  );
});

test("the command names a monitor by its position, and a window by its id", () => {
  assert.match(text({ input: { kind: "x11-screen", display: ":1", x: 1920, y: 12 } }), / -i :1\+1920,12 /);
  const window = text({ input: { kind: "x11-window", display: ":1", window: 0x2600003 } });
  assert.match(window, / -video_size 1920x1080 -window_id 0x2600003 -i :1 -copyts /);
});

test("an unchanged size is converted with the cheapest scaler, and an odd size becomes even", () => {
  const odd = text({ inputSize: { width: 801, height: 601 } });
  assert.match(odd, / -video_size 800x600 .* -vf scale=flags=neighbor:out_color_matrix=bt709:.*,format=yuv420p,/);
});

test("sound on Linux has fragments of 20 ms and a separate queue, and is resampled to stay in sync", () => {
  const heard = text({ sound: { kind: "pulse", device: "@DEFAULT_MONITOR@" } });
  assert.match(heard, / -i :0\+0,0 -thread_queue_size 256 -f pulse -fragment_size 3840 -i @DEFAULT_MONITOR@ -copyts /);
  assert.match(heard, / -map 0:v -map 1:a -af aresample=async=1000 /);
  assert.match(heard, / -c:a aac -b:a 128k -ac 2 -max_interleave_delta 500000 -f mp4 /);
});

test("an ffmpeg before 5.1 gets -vsync, which newer ones reject", () => {
  const old = captureArgs({ ...order, hasFpsMode: false });
  assert.deepEqual(old.slice(old.indexOf("-vsync")).slice(0, 2), ["-vsync", "passthrough"]);
  assert.ok(!old.includes("-fps_mode"));
  assert.ok(!captureArgs(order).includes("-vsync"));
});

test("the command for a window on Windows has the filter as source and stamps frames with the wall clock", () => {
  const args = captureArgs({
    ...order,
    input: { kind: "gfxcapture", window: "My Game" },
    inputSize: null,
    encoder: { ...software, name: "h264_nvenc" },
  });
  assert.equal(
    args[args.indexOf("-filter_complex") + 1],
    `gfxcapture=window_title=(?i).*My.Game.*:resize_mode=scale_aspect:max_framerate=30:capture_cursor=1,settb=1/1000000,setpts=time(0)/TB,hwdownload,format=bgra,scale=-2:'min(720,trunc(ih/2)*2)':flags=fast_bilinear${converted}format=yuv420p,${named}[v]`,
  );
  assert.match(
    args.join(" "),
    / -map \[v\] -fps_mode .* -c:v h264_nvenc -preset p1 -tune ull -bf 0 -forced-idr 1 -rc vbr -b:v 5000000 /,
  );
  assert.ok(!args.includes("-i"));
});

test("the command for a monitor on Windows uses Desktop Duplication, or GDI as an ordinary input", () => {
  const duplicated = text({ input: { kind: "ddagrab" }, inputSize: null, heightMax: 0 });
  assert.match(
    duplicated,
    /-filter_complex ddagrab=output_idx=0:framerate=30:draw_mouse=1,settb=.*,hwdownload,format=bgra,scale=-2:trunc\(ih\/2\)\*2:flags=fast_bilinear:.*,format=yuv420p,.*\[v\] /,
  );
  const gdi = text({ input: { kind: "gdigrab", window: null }, inputSize: null });
  assert.match(gdi, / -thread_queue_size 8 -f gdigrab -draw_mouse 1 -framerate 30 -i desktop -copyts -vf scale=-2:/);
  assert.match(text({ input: { kind: "gdigrab", window: 327_724 }, inputSize: null }), / -i hwnd=327724 -copyts /);
  assert.match(text({ input: { kind: "gdigrab", window: "A: game" }, inputSize: null }), / -i title=A: game -copyts /);
  assert.match(text({ input: { kind: "gfxcapture", window: 327_724 }, inputSize: null }), / gfxcapture=hwnd=327724:/);
});

test("sound on Windows is the first input if the picture comes from a filter", () => {
  const sound = { kind: "dshow", device: "@device_cm_{33D9A762}\\wave_{1}" } as const;
  const heard = text({ input: { kind: "ddagrab" }, inputSize: null, sound });
  assert.match(
    heard,
    /-use_wallclock_as_timestamps 1 -f dshow -audio_buffer_size 50 -i audio=@device_cm_\{33D9A762\}\\wave_\{1\} -copyts /,
  );
  assert.match(heard, / -map \[v\] -map 0:a /);
  assert.match(text({ input: { kind: "gdigrab", window: null }, inputSize: null, sound }), / -map 0:v -map 1:a /);
});

test("on Windows, a chosen monitor is captured by its handle, or as its part of the desktop", () => {
  const area = { x: -1_280, y: 56, width: 1_280, height: 1_023 };
  const byGdi = { kind: "gdigrab", window: null, area } as const;
  const where = " -offset_x -1280 -offset_y 56 -video_size 1280x1022 -i desktop ";
  assert.ok(text({ input: byGdi, inputSize: null }).includes(where));
  const byHandle = { kind: "gfxcapture", window: null, monitor: 65_537 } as const;
  assert.match(
    text({ input: byHandle, inputSize: null }),
    / gfxcapture=hmonitor=65537:resize_mode=scale_aspect:max_framerate=30:/,
  );
  assert.ok(stillArgs(byGdi, area).join(" ").includes(where));
  assert.match(
    stillArgs(byHandle, area).join(" "),
    /-filter_complex gfxcapture=hmonitor=65537:.*scale=320:180.* mjpeg /,
  );
});

test("the command for macOS captures the screen with wall clock times, and the loopback device in the same input", () => {
  const input = { kind: "avfoundation", screen: "Capture screen 0" } as const;
  const mac = { input, inputSize: null, encoder: { ...software, name: "h264_videotoolbox" } } as const;
  assert.match(
    text(mac),
    / -use_wallclock_as_timestamps 1 -f avfoundation -capture_cursor 1 -framerate 30 -pixel_format bgr0 -i Capture screen 0:none -copyts -vf scale=.* -c:v h264_videotoolbox -realtime 1 -bf 0 -b:v 5000000 /,
  );
  const heard = text({ ...mac, sound: { kind: "avfoundation", device: "BlackHole 2ch" } });
  assert.match(heard, / -i Capture screen 0:BlackHole 2ch -copyts .* -map 0:v -map 0:a /);
});

test("the command for VAAPI opens the card first and uploads frames to it", () => {
  const args = text({ encoder: { name: "h264_vaapi", preset: "superfast", device: "/dev/dri/renderD128" } });
  assert.match(
    args,
    /^-v warning -nostats -init_hw_device vaapi=card:\/dev\/dri\/renderD128 -filter_hw_device card -thread/,
  );
  assert.match(
    args,
    / -vf scale=1280:720:flags=fast_bilinear:out_color_matrix=bt709:.*,format=nv12,setparams=.*,hwupload -map .* -c:v h264_vaapi -bf 0 -b:v 5000000 /,
  );
});

test("hardware encoders also get a group length of one second, because they may ignore forced keyframes", () => {
  for (const name of ["h264_nvenc", "h264_amf", "h264_qsv", "h264_vaapi", "h264_videotoolbox"] as const) {
    assert.match(text({ frameRate: 60, encoder: { ...software, name } }), / -g 60 -force_key_frames /, name);
  }
  assert.match(text({ encoder: { ...software, name: "libopenh264" } }), / -c:v libopenh264 -threads 1 .* -g 120 /);
});

test("a forced picture becomes a keyframe where an encoder would only make one that no cut can start at", () => {
  const args = (name: CaptureSpec["encoder"]["name"]) => text({ encoder: { ...software, name } });
  assert.match(args("h264_nvenc"), / -c:v h264_nvenc .* -forced-idr 1 .* -force_key_frames /);
  for (const name of ["h264_amf", "h264_qsv"] as const)
    assert.match(args(name), / -c:v h264_\w+ .* -forced_idr 1 .* -force_key_frames /, name);
});

test("encoders of AMD and Intel get the pixel format that they take, and make no frame that waits for a later one", () => {
  for (const name of ["h264_amf", "h264_qsv", "h264_mf"] as const)
    assert.match(
      text({ encoder: { ...software, name } }),
      /,format=nv12,setparams=.* -c:v h264_\w+ .* -bf 0 .* -color_range tv -colorspace bt709 /,
      name,
    );
});

test("an encoder is tried with the same options as in the capture", () => {
  const picture = { size: { width: 1280, height: 720 }, frameRate: 30, quality: "standard" } as const;
  assert.ok(encoderTestArgs(software, picture).join(" ").includes(x264));
});

test("pictures are never upscaled, and their size is even", () => {
  assert.deepEqual(outputSize({ width: 1920, height: 1080 }, 720), { width: 1280, height: 720 });
  assert.deepEqual(outputSize({ width: 640, height: 480 }, 720), { width: 640, height: 480 });
  assert.deepEqual(outputSize({ width: 1366, height: 768 }, 720), { width: 1280, height: 720 });
  assert.deepEqual(outputSize({ width: 3440, height: 1440 }, 1080), { width: 2580, height: 1080 });
  assert.deepEqual(outputSize({ width: 1921, height: 1081 }, 0), { width: 1920, height: 1080 });
  assert.deepEqual(outputSize({ width: 3, height: 3 }, 480), { width: 16, height: 16 });
});

test("more pixels and better quality get a higher bit rate, and better quality a lower CRF", () => {
  const at = (size: { width: number; height: number }, frameRate: number, quality: CaptureSpec["quality"]) =>
    bitRate({ size, frameRate, quality });
  const small = { width: 854, height: 480 };
  const large = { width: 1920, height: 1080 };
  assert.ok(at(small, 30, "standard") < at(large, 30, "standard"));
  assert.ok(at(large, 30, "standard") < at(large, 60, "standard"));
  assert.ok(at(large, 30, "low") < at(large, 30, "high"));
  assert.match(text({ quality: "low" }), / -crf 26 /);
  assert.match(text({ quality: "high" }), / -crf 19 /);
});

test("no title has a meaning in the regular expression or the filter syntax", () => {
  for (const title of ["a':x=1[out];movie=/etc/passwd", "(?{})|.*", "\\", "ß 🎮,", "=:;[]'\"%{}"]) {
    assert.match(windowTitlePattern(title), /^\(\?i\)\.\*[A-Za-z0-9.]*\.\*$/);
  }
  assert.ok(new RegExp(windowTitlePattern("Déjà [Vu]").replace("(?i)", ""), "i").test("xx déjà [vu] - 2"));
});
