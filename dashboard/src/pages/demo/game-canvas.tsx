// The demo's game on a canvas, with keyboard and touch. It plays by itself while nobody does.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import { autopilot, type Happening, move, type World } from "./flight.ts";
import { paint } from "./picture.ts";

/** How long a player may let the kite sink before it flies by itself again. */
const idleMs = 5_000;
/** A slow computer draws fewer frames, but flies as fast. After a longer pause, as of a hidden tab, the flight goes on where it was. */
const longestFrameSeconds = 1;
const stepSeconds = 0.05;
const risingKeys = ["Space", "ArrowUp"];
const ownKeys = "button, a, input, select, textarea, dialog";

type GameProps = {
  world: World;
  isMoving: boolean;
  isCalm: boolean;
  colours: "light" | "dark";
  onHappening: (happening: Happening) => void;
  onFrame: () => void;
  /** Shown over the picture. */
  children: ReactNode;
};

export function GameCanvas(given: GameProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const newest = useRef(given);
  const [isPlayed, setPlayed] = useState(false);
  useEffect(() => {
    newest.current = given;
  });
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const pen = element.getContext("2d");
    const stop = new AbortController();
    let isHeld = false;
    let playedMs = -idleMs;
    let lastMs: number | undefined;
    let frame = 0;
    let drawn = "";
    const hold = (isDown: boolean) => {
      isHeld = isDown;
      playedMs = performance.now();
    };
    const onKey = (event: KeyboardEvent) => {
      if (!risingKeys.includes(event.code)) return;
      if (event.type === "keyup") return void (isHeld && hold(false));
      const isForPage = !newest.current.isMoving || event.ctrlKey || event.altKey || event.metaKey;
      if (isForPage || (event.target as Element).closest?.(ownKeys)) return;
      event.preventDefault();
      hold(true);
    };
    const listening = { signal: stop.signal };
    document.addEventListener("keydown", onKey, listening);
    document.addEventListener("keyup", onKey, listening);
    element.addEventListener("pointerdown", () => hold(true), listening);
    for (const ending of ["pointerup", "pointercancel", "blur"])
      window.addEventListener(ending, () => isHeld && hold(false), listening);
    const draw = (nowMs: number) => {
      const { world, isMoving, isCalm, colours, onHappening, onFrame } = newest.current;
      const seconds = Math.min(longestFrameSeconds, (nowMs - (lastMs ?? nowMs)) / 1_000);
      lastMs = nowMs;
      const isByPlayer = isHeld || performance.now() - playedMs < idleMs;
      setPlayed(isByPlayer);
      if (isMoving) {
        for (let left = seconds; left > 0; left -= stepSeconds) {
          const isRising = isByPlayer ? isHeld : autopilot(world);
          for (const happening of move(world, Math.min(left, stepSeconds), isRising)) onHappening(happening);
        }
        onFrame();
      }
      const [width, height] = [element.clientWidth, element.clientHeight].map((size) =>
        Math.round(size * devicePixelRatio),
      );
      if (width !== undefined && height !== undefined && element.width !== width)
        Object.assign(element, { width, height });
      const shown = `${isCalm ? world.seconds : nowMs} ${colours} ${width}`;
      if (pen !== null && shown !== drawn) paint(pen, world, colours, isCalm ? 0 : nowMs / 1_000);
      drawn = shown;
      frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    return () => {
      stop.abort();
      cancelAnimationFrame(frame);
    };
  }, []);
  return (
    <div className="demo-game">
      <canvas ref={canvas} role="img" aria-label={t("A kite flies over hills, catches stars and opens gifts.")} />
      {given.isMoving && <span className="demo-pilot">{isPlayed ? t("You fly") : t("Flies by itself")}</span>}
      {given.children}
    </div>
  );
}
