// What the supervision of a capture needs, and what it gives.
import type { Clock, Delivered, Run, RunEvents } from "./live-run.ts";
import type { Level, Offer, ThreadStatus } from "./messages.ts";
import type { Patience } from "./watchdogs.ts";

export type SupervisorNeeds<F extends Delivered> = {
  readonly startRun: (level: Level, events: RunEvents<F>) => Run;
  readonly clock: Clock;
  readonly patience: Patience;
  /** How busy the machine is: programs that want a core, for each core. */
  readonly load: () => number;
  /** Whether a clip is under way: what may cost footage has to wait. */
  readonly isHeld: () => boolean;
  /** Footage that is to be kept: of one run after the other, the later one's reaching back over the end of the one before. */
  readonly onFragment: (fragment: F) => void;
  readonly onChanged: () => void;
  /** A run ended: why, and after how long the next one begins; null where another had taken its place. */
  readonly onRunEnded: (why: string, againInMs: number | null) => void;
  /** The command delivers nothing: it may be time to choose another. */
  readonly onStale: () => void;
};

export type Supervisor = {
  /** Captures as offered. What runs goes on until its successor delivers; where that delivers nothing, for good. */
  capture(offer: Offer): void;
  /** Resolves when no process is left. */
  rest(): Promise<void>;
  /** The game sent an event: a picture that stands still meanwhile is suspicious. */
  eventArrived(): void;
  /** Nothing is held and no cut waits: what would cost footage may be done now. */
  nothingHeld(): void;
  status(): Omit<ThreadStatus, "heldSeconds" | "heldBytes">;
};
