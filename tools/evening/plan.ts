// The plan of an evening: three games one after another, with highlights, things worth sharing, errors next to them, and a crash.

/** What happens in a game, that many seconds after its start. */
type PlannedEvent =
  | { readonly at: number; readonly kind: "recording" | "social"; readonly name: string }
  | { readonly at: number; readonly kind: "monitor"; readonly message: string };

export type PlannedGame = {
  readonly game: string;
  readonly events: readonly PlannedEvent[];
  /** The seconds after the start when it ends, and whether it ends by a crash. */
  readonly ends: number;
  readonly crashes: boolean;
};

const moment = (at: number, name: string): PlannedEvent => ({ at, kind: "recording", name });
const share = (at: number, name: string): PlannedEvent => ({ at, kind: "social", name });
const fault = (at: number, message: string): PlannedEvent => ({ at, kind: "monitor", message });

/** Forty events. Errors come 5 to 15 seconds before or after a highlight; one of each game is alone. */
export const evening: readonly PlannedGame[] = [
  {
    game: "lanternwood",
    ends: 300,
    crashes: false,
    events: [
      moment(25, "lantern_lit"),
      fault(37, "Cannot call method 'play' on a null value."),
      moment(70, "chest_found"),
      fault(101, "Cannot call method 'play' on a null value."),
      moment(110, "boss_defeated"),
      share(110.5, "boss_defeated"),
      moment(150, "secret_found"),
      moment(158, "map_completed"),
      fault(163, "Texture not found: res://owl.png"),
      fault(205, "Index 7 out of range (3)"),
      moment(250, "all_friends"),
      share(251, "all_friends"),
      fault(258, "Texture not found: res://owl.png"),
    ],
  },
  {
    game: "skyhook",
    ends: 300,
    crashes: false,
    events: [
      moment(25, "lap_record"),
      share(25.2, "lap_record"),
      fault(39, "NullReferenceException: wheel"),
      moment(75, "near_miss"),
      moment(85, "drift_chain"),
      fault(91, "Physics step took 900 ms"),
      moment(130, "cup_won"),
      share(131, "cup_won"),
      fault(170, "NullReferenceException: wheel"),
      moment(210, "rival_beaten"),
      fault(222, "Sound bank missing: crowd"),
      moment(260, "photo_finish"),
      share(267, "track_unlocked"),
    ],
  },
  {
    game: "tidewater",
    ends: 300,
    crashes: true,
    events: [
      moment(25, "whale_seen"),
      fault(34, "TypeError: cannot read properties of undefined (reading 'depth')"),
      moment(70, "treasure_raised"),
      share(70.4, "treasure_raised"),
      moment(105, "storm_survived"),
      fault(95, "RangeError: wave height"),
      moment(145, "record_dive"),
      moment(152, "pearl_found"),
      fault(165, "TypeError: cannot read properties of undefined (reading 'depth')"),
      moment(200, "kraken_beaten"),
      share(200.6, "kraken_beaten"),
      fault(193, "RangeError: tentacle count"),
      moment(250, "harbour_reached"),
      fault(285, "Out of memory while loading the reef"),
    ].toSorted((one, other) => one.at - other.at),
  },
];

/** Durations of the rules. They are divided by the evening's speed, so that the same moments share a clip at any speed. */
export const ruleSeconds = { preSeconds: 12, postSeconds: 5, mergeGapSeconds: 8, cooldownSeconds: 10 } as const;
/** The best moment of the evening: the priorities of rules decide it. */
export const bestMoment = { game: "skyhook", name: "cup_won", priority: 900 } as const;
