// Starting with the system: whether the launcher is started when a person signs in, and by what.
import { Type } from "typebox";
import { operation } from "./operation.ts";
import { changeErrors, sessionErrors } from "./problem.ts";

export const Autostart = Type.Object(
  {
    on: Type.Boolean(),
    can: Type.Boolean({ description: "False where `detail` says why not" }),
    by: Type.Union([Type.Enum(["systemd", "xdg", "launchd", "registry"]), Type.Null()], {
      description:
        "systemd: a service of the user; xdg: an autostart entry; launchd: a launch agent; registry: a Run key",
    }),
    place: Type.Union([Type.String(), Type.Null()], { description: "The file or key that is written" }),
    command: Type.Array(Type.String(), { description: "What it starts" }),
    detail: Type.String({ description: "In one sentence: what happens at the next sign-in, or what to do" }),
  },
  { description: "Whether the launcher starts with the system" },
);
export type Autostart = Type.Static<typeof Autostart>;

export const getAutostart = operation({
  id: "getAutostart",
  method: "GET",
  path: "/api/autostart",
  access: "session",
  says: "Whether the launcher starts with the system.",
  status: 200,
  reply: Autostart,
  errors: sessionErrors,
});

export const setAutostart = operation({
  id: "setAutostart",
  method: "PUT",
  path: "/api/autostart",
  access: "session",
  says: "Has the launcher started with the system from the next sign-in on, or no longer.",
  body: Type.Object({ on: Type.Boolean({ description: "true or false" }) }),
  status: 200,
  reply: Autostart,
  errors: changeErrors,
});
