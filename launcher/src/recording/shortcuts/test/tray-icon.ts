// Support: finds Kit's icon in the tray of a display, and reads its pixels.
import { panelHeight } from "../../../../../tools/engines/jwm.ts";
import { type Connected, query, type Reply } from "../../x11/connection.ts";
import { readTitle } from "../../x11/screen.ts";

type Looking = {
  GetImage(...words: [2, number, 0, 0, number, number, number, Reply<{ data: Buffer }>]): void;
  TranslateCoordinates(
    from: number,
    to: number,
    x: number,
    y: number,
    reply: Reply<{ destX: number; destY: number }>,
  ): void;
};

type TrayIcon = { readonly centre: { readonly x: number; readonly y: number }; readonly colours: number };

/**
 * Resolves to undefined if no visible window in JWM's panel is Kit's icon. `title` is that of its window, which Wine
 * leaves empty.
 */
export async function findIcon(
  { x, screen }: Connected,
  title = "Kit",
  parent = screen.root,
): Promise<TrayIcon | undefined> {
  const tree = await query<{ children: number[] }>((reply) => x.QueryTree(parent, reply));
  for (const id of tree?.children ?? []) {
    const attributes = await query<{ mapState: number }>((reply) => x.GetWindowAttributes(id, reply));
    if (attributes?.mapState !== 2) continue;
    if (parent !== screen.root && (await readTitle(x, id)) === title) return describeIcon({ x, screen }, id);
    const below = await findIcon({ x, screen } as Connected, title, id);
    if (below !== undefined) return below;
  }
  return undefined;
}

async function describeIcon({ x, screen }: Pick<Connected, "x" | "screen">, id: number): Promise<TrayIcon | undefined> {
  const looking = x as unknown as Looking;
  const size = await query<{ width: number; height: number }>((reply) => x.GetGeometry(id, reply));
  if (size === undefined) return undefined;
  const { width, height } = size;
  const place = await query<{ destX: number; destY: number }>((reply) =>
    looking.TranslateCoordinates(id, screen.root, 0, 0, reply),
  );
  // JWM creates its panel at the top of the screen and moves it down with the icon in it. A click would miss the icon.
  if (place !== undefined && place.destY < screen.pixel_height - panelHeight) return undefined;
  const image = await query<{ data: Buffer }>((reply) => looking.GetImage(2, id, 0, 0, width, height, 0xffffff, reply));
  if (place === undefined || image === undefined) return undefined;
  const pixels = new Set(Array.from({ length: image.data.length >> 2 }, (_, i) => image.data.readUInt32LE(i * 4)));
  return { centre: { x: place.destX + (width >> 1), y: place.destY + (height >> 1) }, colours: pixels.size };
}
