// Reads the monitors of an X display.
import { type Connected, type Connection, query, type Reply, type Size } from "./connection.ts";

/** A part of the screen. */
export type Area = Size & { readonly x: number; readonly y: number };
export type XMonitor = Area & { readonly name: string };

type RandR = {
  GetScreenResourcesCurrent(window: number, reply: Reply<{ outputs: number[] }>): void;
  GetOutputPrimary(window: number, reply: Reply<number>): void;
  GetOutputInfo(output: number, at: number, reply: Reply<{ crtc: number; name: string }>): void;
  GetCrtcInfo(crtc: number, at: number, reply: Reply<Area>): void;
};
/** A smaller monitor is none that a person sees. */
const sideMin = 64;
const monitorsMax = 16;

async function readMonitor(randr: RandR, output: number): Promise<XMonitor | undefined> {
  const info = await query<{ crtc: number; name: string }>((reply) => randr.GetOutputInfo(output, 0, reply));
  if (!info?.crtc) return undefined;
  const area = await query<Area>((reply) => randr.GetCrtcInfo(info.crtc, 0, reply));
  if (area === undefined || area.width < sideMin || area.height < sideMin) return undefined;
  const { x, y, width, height } = area;
  return { name: info.name, x, y, width, height };
}

async function readRandR(x: Connection): Promise<RandR | undefined> {
  return (await query<unknown>((reply) => x.require("randr", reply))) as RandR | undefined;
}

/** Returns the primary monitor; undefined if none is set. */
export async function readPrimaryMonitor({ x, screen }: Connected): Promise<XMonitor | undefined> {
  const randr = await readRandR(x);
  if (randr === undefined) return undefined;
  const output = await query<number>((reply) => randr.GetOutputPrimary(screen.root, reply));
  return output ? readMonitor(randr, output) : undefined;
}

/** Returns all monitors that show something, the primary one first. */
export async function readMonitors({ x, screen }: Connected): Promise<XMonitor[]> {
  const randr = await readRandR(x);
  if (randr === undefined) return [];
  const [resources, primary] = await Promise.all([
    query<{ outputs: number[] }>((reply) => randr.GetScreenResourcesCurrent(screen.root, reply)),
    query<number>((reply) => randr.GetOutputPrimary(screen.root, reply)),
  ]);
  const outputs = (resources?.outputs ?? []).toSorted((a, b) => Number(b === primary) - Number(a === primary));
  const monitors = await Promise.all(outputs.slice(0, monitorsMax).map((output) => readMonitor(randr, output)));
  return monitors.filter((monitor) => monitor !== undefined);
}
