// Kit's icon in the tray of a Wayland desktop, after StatusNotifierItem of freedesktop.org: the desktop asks for it on the session bus.

import type { Socket } from "node:net";
import { MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { MessageBus, PropertyDefinition } from "dbus-native";
import type { IconPixels } from "./icon-pixels.ts";
import type { ShowTrayIcon } from "./tray.ts";

export const watcher = "org.kde.StatusNotifierWatcher";
export const watcherPath = "/StatusNotifierWatcher";
export const itemInterface = "org.kde.StatusNotifierItem";
const busName = "org.freedesktop.DBus";
const answerWithinMs = 5_000;
const messageBytesMax = 1_000_000;
/** Desktops make it smaller where they need that. */
const iconSize = 48;

function describeIcon(pixels: IconPixels): Record<string, PropertyDefinition> {
  // Kit's pixels are blue, green, red, alpha; the desktop wants them the other way round.
  const icon = pixels(iconSize).swap32();
  const constant = (type: string, value: unknown) => ({ type, value, access: "read" }) as const;
  return {
    Category: constant("s", "ApplicationStatus"),
    Id: constant("s", "kit"),
    Title: constant("s", "Kit"),
    Status: constant("s", "Active"),
    WindowId: constant("i", 0),
    IconName: constant("s", ""),
    IconPixmap: constant("a(iiay)", [[iconSize, iconSize, icon]]),
    OverlayIconName: constant("s", ""),
    AttentionIconName: constant("s", ""),
    ToolTip: constant("(sa(iiay)ss)", ["", [], "Kit", ""]),
    ItemIsMenu: constant("b", false),
    Menu: constant("o", "/NO_DBUSMENU"),
  };
}

/** Offers the icon on the bus. Rejects if the bus does not answer. */
async function offerIcon(bus: MessageBus, properties: Record<string, PropertyDefinition>, clicked: () => void) {
  const { defineInterface } = await import("dbus-native");
  const click = { in: { x: "i", y: "i" }, handler: clicked };
  const unused = () => undefined;
  const methods = {
    Activate: click,
    SecondaryActivate: click,
    ContextMenu: click,
    Scroll: { in: { delta: "i", orientation: "s" }, handler: unused },
    ProvideXdgActivationToken: { in: { token: "s" }, handler: unused },
  };
  await bus.export("/StatusNotifierItem", defineInterface({ name: itemInterface, methods, properties }));
  await bus.addMatch(`type='signal',sender='${busName}',member='NameOwnerChanged',arg0='${watcher}'`);
}

/** `address` is that of the session bus. */
export function showTrayIconOnBus(address: string | undefined, icon: () => Promise<IconPixels>): ShowTrayIcon {
  return async ({ clicked, changed, lost }) => {
    if (address === undefined) throw new MessageError(message("tray.no_bus"));
    const properties = describeIcon(await icon());
    const { createClient, messageType } = await import("dbus-native");
    const bus = createClient({ busAddress: address, timeout: answerWithinMs, maxMessageSize: messageBytesMax });
    const { connection } = bus;
    // It must not keep the launcher from ending.
    (connection.stream as Socket).unref();
    let isShown = false;
    let hasTray = false;
    connection.on("error", () => connection.stream.destroy());
    connection.on("close", () => {
      if (isShown) lost();
    });
    const register = async () => {
      const target = { destination: watcher, path: watcherPath, interface: watcher };
      const registered = bus.invoke({
        ...target,
        member: "RegisterStatusNotifierItem",
        signature: "s",
        body: [bus.name],
      });
      hasTray = await registered.then(
        () => true,
        () => false,
      );
      changed();
    };
    connection.on("message", ({ type, sender, member, body }) => {
      const isOwner = type === messageType.signal && sender === busName && member === "NameOwnerChanged";
      if (isOwner && body?.[0] === watcher) void register();
    });
    try {
      await offerIcon(bus, properties, clicked);
    } catch (error) {
      connection.stream.destroy();
      throw error;
    }
    await register();
    isShown = true;
    return {
      hasTray: () => hasTray,
      close() {
        isShown = false;
        connection.end();
      },
    };
  };
}
