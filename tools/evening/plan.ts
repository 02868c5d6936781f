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
    ends: 232.5,
    crashes: false,
    events: [
      moment(25, "lantern_lit"),
      fault(37, "Cannot call method 'play' on a null value."),
      moment(67, "chest_found"),
      fault(97, "Cannot call method 'play' on a null value."),
      moment(106, "boss_defeated"),
      share(106.5, "boss_defeated"),
      moment(136.5, "secret_found"),
      moment(144.5, "map_completed"),
      fault(149.5, "Texture not found: res://owl.png"),
      fault(179.5, "Index 7 out of range (3)"),
      moment(209.5, "all_friends"),
      share(210.5, "all_friends"),
      fault(217.5, "Texture not found: res://owl.png"),
    ],
  },
  {
    game: "skyhook",
    ends: 240,
    crashes: false,
    events: [
      moment(25, "lap_record"),
      share(25.2, "lap_record"),
      fault(39, "NullReferenceException: wheel"),
      moment(69, "near_miss"),
      moment(79, "drift_chain"),
      fault(85, "Physics step took 900 ms"),
      moment(115, "cup_won"),
      share(116, "cup_won"),
      fault(146, "NullReferenceException: wheel"),
      moment(176, "rival_beaten"),
      fault(188, "Sound bank missing: crowd"),
      moment(218, "photo_finish"),
      share(225, "track_unlocked"),
    ],
  },
  {
    game: "tidewater",
    ends: 260,
    crashes: true,
    events: [
      moment(25, "whale_seen"),
      fault(34, "TypeError: cannot read properties of undefined (reading 'depth')"),
      moment(64, "treasure_raised"),
      share(64.4, "treasure_raised"),
      moment(99, "storm_survived"),
      fault(89, "RangeError: wave height"),
      moment(129, "record_dive"),
      moment(136, "pearl_found"),
      fault(149, "TypeError: cannot read properties of undefined (reading 'depth')"),
      moment(184, "kraken_beaten"),
      share(184.6, "kraken_beaten"),
      fault(177, "RangeError: tentacle count"),
      moment(214.6, "harbour_reached"),
      fault(244.6, "Out of memory while loading the reef"),
    ].toSorted((one, other) => one.at - other.at),
  },
];

/** Durations of the rules. They are divided by the evening's speed, so that the same moments share a clip at any speed. */
export const ruleSeconds = { preSeconds: 12, postSeconds: 5, mergeGapSeconds: 8, cooldownSeconds: 10 } as const;
/** The best moment of the evening: the priorities of rules decide it. */
export const bestMoment = { game: "skyhook", name: "cup_won", priority: 900 } as const;
