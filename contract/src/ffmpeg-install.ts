// Operations that install ffmpeg with the package manager of the system.
import { Type } from "typebox";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { inputErrors, sessionErrors } from "./problem.ts";

export const FfmpegInstall = Type.Object(
  {
    state: Type.Enum(["idle", "running", "installed", "failed"], {
      description: "idle: not started; installed: it was found and tested; failed: `says` says why",
    }),
    command: Type.Union([Type.String(), Type.Null()], {
      description: "The command that installs ffmpeg here; null if Kit can run none",
    }),
    offer: messageSchema("What happens if a person agrees; without a command, what a person can do instead"),
    says: Type.Union([messageSchema(), Type.Null()], {
      description: "What happens now, or what came of the last installation; null if there was none",
    }),
    progress: Type.String({ description: "The last line that the package manager printed; empty if there is none" }),
  },
  { description: "Installation of ffmpeg" },
);
export type FfmpegInstall = Type.Static<typeof FfmpegInstall>;

export const getFfmpegInstall = operation({
  id: "getFfmpegInstall",
  method: "GET",
  path: "/api/recorder/ffmpeg",
  access: "session",
  says: "How ffmpeg is installed here, and how far that is.",
  status: 200,
  reply: FfmpegInstall,
  errors: sessionErrors,
});

export const installFfmpeg = operation({
  id: "installFfmpeg",
  method: "POST",
  path: "/api/recorder/ffmpeg",
  access: "session",
  says: "Installs ffmpeg with the package manager of the system, and tests it. A person must have agreed to the command.",
  status: 202,
  reply: FfmpegInstall,
  errors: inputErrors,
});
