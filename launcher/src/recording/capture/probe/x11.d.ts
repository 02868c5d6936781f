// Types for the part of the x11 package that test windows use; the package has none.
declare module "x11" {
  type GraphicsContext = {
    foreground?: number;
    fillStyle?: number;
    tile?: number;
    tileStippleXOrigin?: number;
    tileStippleYOrigin?: number;
    graphicsExposures?: number;
  };

  export type Client = {
    readonly atoms: Readonly<Record<string, number>>;
    AllocID(): number;
    CreateWindow(
      id: number,
      parent: number,
      x: number,
      y: number,
      width: number,
      height: number,
      borderWidth?: number,
      depth?: number,
      kind?: number,
      visual?: number,
      values?: { backgroundPixel?: number; eventMask?: number; overrideRedirect?: boolean },
    ): void;
    ChangeProperty(mode: number, window: number, name: number, type: number, format: number, data: string): void;
    MapWindow(window: number): void;
    CreatePixmap(id: number, drawable: number, depth: number, width: number, height: number): void;
    CreateGC(id: number, drawable: number, values: GraphicsContext): void;
    ChangeGC(id: number, values: GraphicsContext): void;
    PolyFillRectangle(drawable: number, context: number, rectangles: readonly number[]): void;
    CopyArea(
      from: number,
      to: number,
      context: number,
      fromX: number,
      fromY: number,
      toX: number,
      toY: number,
      width: number,
      height: number,
    ): void;
    PutImage(
      format: number,
      drawable: number,
      context: number,
      width: number,
      height: number,
      x: number,
      y: number,
      leftPad: number,
      depth: number,
      data: Uint8Array,
    ): void;
    /** Resolves when the server has processed all earlier requests. */
    sync(): Promise<void>;
    on(event: "error" | "end", listener: (error: Error) => void): void;
  };

  export type Screen = { readonly root: number; readonly root_depth: number };
  type Connected = { readonly client: Client; readonly screen: readonly Screen[] };

  export function createClient(
    options: { display: string; bufferRequests?: boolean },
    callback: (error: Error | undefined, display: Connected) => void,
  ): Client;
}
