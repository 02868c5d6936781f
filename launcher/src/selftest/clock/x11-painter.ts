// Paints the strip on an X display. No window manager moves or decorates it, and it takes no clicks or keys.
import { type Client, createClient, type Screen } from "x11";
import { cellCount } from "./clock-code.ts";
import { type StripPainter, type StripPlace, stripHeight, stripTitle } from "./strip.ts";

const dark = 0x101010;
const light = 0xf0f0f0;

function connect(display: string): Promise<{ x: Client; screen: Screen }> {
  return new Promise((resolve, reject) => {
    const client = createClient({ display, bufferRequests: true }, (error, connected) => {
      const screen = connected?.screen[0];
      if (screen === undefined) reject(error ?? new Error(`${display} has no screen`));
      else resolve({ x: connected.client, screen });
    });
    client.on("error", reject);
    client.on("end", () => process.exit(1));
  });
}

export async function openX11Painter({ display, x: left, y: top, width }: StripPlace): Promise<StripPainter> {
  const { x, screen } = await connect(display);
  const window = x.AllocID();
  const picture = x.AllocID();
  const context = x.AllocID();
  const rowHeight = Math.ceil(width / cellCount);
  const edge = (cell: number) => Math.round((cell * width) / cellCount);
  x.CreateWindow(window, screen.root, left, top, width, stripHeight, 0, 0, 0, 0, {
    backgroundPixel: dark,
    overrideRedirect: true,
  });
  x.ChangeProperty(0, window, x.atoms.WM_NAME ?? 0, x.atoms.STRING ?? 0, 8, stripTitle);
  x.CreatePixmap(picture, window, screen.root_depth, width, stripHeight);
  x.CreateGC(context, window, { foreground: dark, graphicsExposures: 0 });
  x.MapWindow(window);
  return {
    async paint(cells) {
      x.ChangeGC(context, { foreground: dark });
      x.PolyFillRectangle(picture, context, [0, 0, width, stripHeight]);
      x.ChangeGC(context, { foreground: light });
      const white = cells.flatMap((isWhite, cell) =>
        isWhite ? [edge(cell), 0, edge(cell + 1) - edge(cell), rowHeight] : [],
      );
      x.PolyFillRectangle(picture, context, white);
      // One request, so that a capture never sees half a clock.
      x.CopyArea(picture, window, context, 0, 0, 0, 0, width, stripHeight);
      await x.sync();
    },
  };
}
