// A minimal game for the reference driver: a frame loop that can be blocked and paused.
const frameMs = 10;

export class Game {
  frames = 0;
  isPaused = false;
  /** True during a call from outside the game loop, e.g. from a thread. */
  isOutside = false;

  async nextFrame(): Promise<void> {
    await new Promise((done) => setTimeout(done, frameMs));
    this.frames += 1;
  }

  async passFrames(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) await this.nextFrame();
  }

  async passMs(ms: number): Promise<void> {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs) await this.nextFrame();
  }

  /** Blocks the only thread. */
  block(ms: number): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  }

  /** Makes each call from its own callback, because JavaScript threads cannot share a binding. */
  async fromOutside(count: number, call: (n: number) => void): Promise<void> {
    const calls = Array.from({ length: count }, (_, at) => {
      return new Promise<void>((done) => {
        setImmediate(() => {
          this.isOutside = true;
          call(at + 1);
          this.isOutside = false;
          done();
        });
      });
    });
    await Promise.all(calls);
  }
}
