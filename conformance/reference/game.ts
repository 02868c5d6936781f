// What the reference driver plays cases in: a loop of frames that can be blocked and paused, as an engine's can.
const frameMs = 10;

export class Game {
  frames = 0;
  isPaused = false;
  /** True while a call comes from outside the game's loop, as from a thread. */
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

  /** Holds the only thread there is. */
  block(ms: number): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  }

  /** Each from a callback of its own; JavaScript has no other threads that could share a binding. */
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
