// Brings every engine the tests run on to this machine, or says which is absent. Does nothing when all are there.
import { provideFfmpegNew } from "./ffmpeg-new.ts";
import { provideGmlParser } from "./gml-parser.ts";
import { provideGodot } from "./godot.ts";
import { absentOf, engineNames, enginesRequired } from "./locate.ts";
import { provideMono } from "./mono.ts";
import { provideNwjs } from "./nwjs.ts";
import { provideObs } from "./obs.ts";
import { say } from "./progress.ts";
import { provideSpotlight } from "./spotlight.ts";
import { provideSystemPackages } from "./system-packages.ts";

provideSystemPackages();
provideNwjs();
provideGmlParser();
provideGodot();
provideFfmpegNew();
provideMono();
provideObs();
provideSpotlight();

const absent = absentOf(engineNames);
if (absent.length === 0) say(`${engineNames.join(", ")}: all here`);
else say(`absent: ${absent.join(", ")}. ${enginesRequired ? "They are required here." : "Their tests are left out."}`);
process.exitCode = absent.length > 0 && enginesRequired ? 1 : 0;
