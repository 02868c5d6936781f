// Autostart: whether and how the system starts the launcher when the user signs in, and the entry in the desktop's menu.
import { Type } from "typebox";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { inputErrors, sessionErrors } from "./problem.ts";

export const Autostart = Type.Object(
  {
    on: Type.Boolean(),
    can: Type.Boolean({ description: "False if this system cannot start the launcher; `detail` says why" }),
    by: Type.Union([Type.Enum(["systemd", "xdg", "launchd", "registry"]), Type.Null()], {
      description: "systemd: a user service; xdg: an autostart entry; launchd: a launch agent; registry: a Run key",
    }),
    place: Type.Union([Type.String(), Type.Null()], { description: "The file or registry key that Kit writes" }),
    command: Type.Array(Type.String(), { description: "The command that the system runs" }),
    detail: messageSchema("One sentence: what happens at the next sign-in, or what to do"),
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
  says: "Switches autostart on or off, from the next sign-in on.",
  body: Type.Object({
    on: Type.Boolean({ description: "true to start the launcher with the system, otherwise false" }),
  }),
  status: 200,
  reply: Autostart,
  errors: inputErrors,
});

export const DesktopEntry = Type.Object(
  {
    on: Type.Boolean(),
    can: Type.Boolean({ description: "False if Kit cannot write the entry here; `detail` says why" }),
    place: Type.Union([Type.String(), Type.Null()], { description: "The file that Kit writes" }),
    command: Type.Array(Type.String(), {
      description: "What the entry runs: it opens the dashboard, and starts the launcher first if none runs",
    }),
    detail: messageSchema("One sentence: whether Kit is in the menu, or what to do"),
  },
  { description: "Kit's entry in the menu of the desktop" },
);
export type DesktopEntry = Type.Static<typeof DesktopEntry>;

export const getDesktopEntry = operation({
  id: "getDesktopEntry",
  method: "GET",
  path: "/api/desktop-entry",
  access: "session",
  says: "Whether Kit is in the menu of the desktop.",
  status: 200,
  reply: DesktopEntry,
  errors: sessionErrors,
});

export const setDesktopEntry = operation({
  id: "setDesktopEntry",
  method: "PUT",
  path: "/api/desktop-entry",
  access: "session",
  says: "Adds Kit to the menu of the desktop, or removes it there.",
  body: Type.Object({ on: Type.Boolean({ description: "true to add Kit to the menu, otherwise false" }) }),
  status: 200,
  reply: DesktopEntry,
  errors: inputErrors,
});
