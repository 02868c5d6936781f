// Writes settings for OBS 29: a profile, a scene that captures another display, and the WebSocket server.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const profile = "Kit";
export const collection = "Kit";

export type ObsSettings = {
  readonly captures: string;
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly replaySeconds: number | null;
  readonly port: number;
  readonly password: string;
  readonly replays: string;
};

export function writeSettings(home: string, settings: ObsSettings): void {
  const root = join(home, ".config/obs-studio");
  const files = {
    "global.ini": ini(globalSettings(settings)),
    [`basic/profiles/${profile}/basic.ini`]: ini(profileSettings(settings)),
    [`basic/scenes/${collection}.json`]: JSON.stringify(sceneOf(settings)),
  };
  for (const [name, text] of Object.entries(files)) {
    const file = join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

type Sections = Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;

function ini(sections: Sections): string {
  const section = ([name, values]: [string, Sections[string]]) =>
    [`[${name}]`, ...Object.entries(values).map(([key, value]) => `${key}=${value}`), ""].join("\n");
  return Object.entries(sections).map(section).join("\n");
}

/** FirstRun=true skips the setup wizard. */
function globalSettings({ port, password }: ObsSettings): Sections {
  return {
    General: { FirstRun: true, EnableAutoUpdates: false },
    Basic: {
      Profile: profile,
      ProfileDir: profile,
      SceneCollection: collection,
      SceneCollectionFile: collection,
      ConfigOnNewProfile: false,
    },
    OBSWebSocket: {
      FirstLoad: false,
      ServerEnabled: true,
      ServerPort: port,
      AuthRequired: true,
      ServerPassword: password,
      AlertsEnabled: false,
    },
  };
}

/** One keyframe per second, as the documentation recommends, because OBS drops whole groups of pictures. */
function profileSettings({ replaySeconds, replays, width, height, framesPerSecond }: ObsSettings): Sections {
  return {
    General: { Name: profile },
    Output: { Mode: "Simple" },
    SimpleOutput: {
      FilePath: replays,
      RecFormat: "mp4",
      RecQuality: "Stream",
      StreamEncoder: "x264",
      VBitrate: 1_500,
      Preset: "ultrafast",
      UseAdvanced: true,
      x264Settings: `keyint=${framesPerSecond}`,
      RecRB: replaySeconds !== null,
      RecRBTime: replaySeconds ?? 20,
      RecRBSize: 128,
      RecRBPrefix: "Replay",
    },
    Video: {
      BaseCX: width,
      BaseCY: height,
      OutputCX: width,
      OutputCY: height,
      FPSType: 1,
      FPSInt: framesPerSecond,
    },
  };
}

/** A scene with one source. With an empty scene, OBS shows a dialog before starting the buffer. */
function sceneOf({ captures }: ObsSettings): object {
  const capture = {
    id: "xshm_input",
    versioned_id: "xshm_input",
    name: "Screen",
    settings: { advanced: true, server: captures, screen: 0, show_cursor: false },
    enabled: true,
  };
  const scene = {
    id: "scene",
    versioned_id: "scene",
    name: "Scene",
    settings: {
      id_counter: 1,
      items: [{ id: 1, name: "Screen", visible: true, pos: { x: 0, y: 0 }, scale: { x: 1, y: 1 } }],
    },
    enabled: true,
  };
  return {
    name: collection,
    current_scene: "Scene",
    current_program_scene: "Scene",
    scene_order: [{ name: "Scene" }],
    sources: [capture, scene],
  };
}
