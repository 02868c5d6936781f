// A minimal game for the reference driver: a frame loop that can be blocked.
const frameMs = 10;

export class Game {
  frames = 0;

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
          call(at + 1);
          done();
        });
      });
    });
    await Promise.all(calls);
  }
}
