// Everything one run of the bench of senders came to.

/** Three games that sent at once. */
export type GameRun = {
  readonly reports: number;
  /** Filed under the game whose process sent them. */
  readonly right: number;
  /** Of nobody: the sender was not found in time. */
  readonly unknown: number;
  /** Under another game. */
  readonly wrong: number;
};

export const connectionWays = ["one that stays open", "a new one each"] as const;
export type ConnectionWay = (typeof connectionWays)[number];

export type CostRun = {
  readonly round: number;
  /** Whether the sender was looked for. */
  readonly looked: boolean;
  readonly way: ConnectionWay;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

export type SenderResults = {
  readonly machine: string;
  readonly at: string;
  readonly quick: boolean;
  readonly games: readonly GameRun[];
  readonly costs: readonly CostRun[];
};
