// Offers files on the clipboard of an X display. X copies nothing: the owner answers each paste, so the connection stays open until
// another program copies something, or the launcher stops.

import { MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Connection, type OpenDisplay, openXDisplay, query } from "../x11/connection.ts";

type SelectionEvent = {
  readonly name?: string;
  readonly time: number;
  readonly requestor: number;
  readonly selection: number;
  readonly target: number;
  readonly property: number;
};
/** The part of the x11 package that a clipboard uses. The package has no types. */
type ClipboardConnection = Omit<Connection, "on"> & {
  SetSelectionOwner(owner: number, selection: number, time: number): void;
  SendEvent(window: number, propagate: number, eventMask: number, event: object): void;
  on(event: "event", listener: (event: SelectionEvent) => void): void;
  on(event: "end", listener: () => void): void;
};

const propertyChange = 0x400000;
const atomType = 4;
const integerType = 19;

/** What the clipboard offers, by the name of each format. */
export type ClipboardFormats = Readonly<Record<string, string>>;

const nameList = ["TARGETS", "TIMESTAMP"] as const;

async function findAtoms(x: ClipboardConnection, names: readonly string[]): Promise<Map<string, number>> {
  const find = async (name: string) => {
    const atom = await query<number>((reply) => x.InternAtom(false, name, reply));
    if (atom === undefined) throw new MessageError(message("display.no_answer"));
    return [name, atom] as const;
  };
  return new Map(await Promise.all(names.map(find)));
}

/** The time of the server. Owning a selection needs one: a request with an earlier time is ignored. */
function serverTime(x: ClipboardConnection, window: number, property: number): Promise<number> {
  return new Promise((resolve) => {
    x.on("event", ({ name, time }) => {
      if (name === "PropertyNotify") resolve(time);
    });
    x.ChangeWindowAttributes(window, { eventMask: propertyChange });
    x.ChangeProperty(0, window, property, integerType, 32, []);
  });
}

/** Takes the clipboard, and answers each paste from then on. */
async function takeClipboard(opened: OpenDisplay, x: ClipboardConnection, formats: ClipboardFormats): Promise<void> {
  const atoms = await findAtoms(x, ["CLIPBOARD", ...nameList, ...Object.keys(formats)]);
  const atom = (name: string) => atoms.get(name) ?? 0;
  const clipboard = atom("CLIPBOARD");
  const [targets, timestamp] = nameList.map(atom) as [number, number];
  const window = x.AllocID();
  x.CreateWindow(window, opened.screen.root, 0, 0, 1, 1);
  const time = await serverTime(x, window, timestamp);
  const byTarget = new Map(Object.entries(formats).map(([name, text]) => [atom(name), Buffer.from(text)]));
  /** Writes what was asked for into a property of the program that pastes. Returns false for an unknown format. */
  const put = (requestor: number, property: number, target: number): boolean => {
    if (target === targets) {
      x.ChangeProperty(0, requestor, property, atomType, 32, [targets, timestamp, ...byTarget.keys()]);
    } else if (target === timestamp) x.ChangeProperty(0, requestor, property, integerType, 32, [time]);
    else {
      const data = byTarget.get(target);
      if (data === undefined) return false;
      x.ChangeProperty(0, requestor, property, target, 8, data);
    }
    return true;
  };
  x.on("event", ({ name, requestor, target, ...event }) => {
    if (name === "SelectionClear") return opened.close();
    if (name !== "SelectionRequest") return;
    // Old programs name no property, and mean the one with the name of the format.
    const property = event.property || target;
    const answer = { name: "SelectionNotify", time: event.time, selection: event.selection, requestor, target };
    x.SendEvent(requestor, 0, 0, { ...answer, property: put(requestor, property, target) ? property : 0 });
  });
  x.SetSelectionOwner(window, clipboard, time);
  const owner = await query<number>((reply) => x.GetSelectionOwner(clipboard, reply));
  if (owner !== window) throw new MessageError(message("copy.clipboard_kept"));
}

/** Resolves to a function that ends the offer. Rejects if the display cannot be opened, or another program keeps the clipboard. */
export async function offerOnX11(display: string, formats: ClipboardFormats): Promise<() => void> {
  const opened = await openXDisplay(display);
  const x = opened.x as unknown as ClipboardConnection;
  // Nothing answers once the connection is lost.
  const lost = new Promise<never>((_, reject) => {
    x.on("end", () => reject(new MessageError(message("display.closed_connection"))));
  });
  lost.catch(() => undefined);
  try {
    await Promise.race([takeClipboard(opened, x, formats), lost]);
    opened.x.stream?.unref?.();
    return opened.close;
  } catch (error) {
    opened.close();
    throw error;
  }
}
