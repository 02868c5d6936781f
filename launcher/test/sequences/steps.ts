// What can happen to Kit: arbitrary steps, and the runs of steps in which most goes wrong.
import fc from "fast-check";
import { type NetworkMood, networkMoods } from "./network-here.ts";
import type { Damage } from "./page-damage.ts";

export type Step =
  | { readonly do: "report"; readonly text: number; readonly times: number }
  | { readonly do: "trigger"; readonly kind: "social" | "recording" }
  | { readonly do: "dispatch" | "advance" | "restart" | "kill" | "backup" | "removeTarget" | "clipPost" }
  | { readonly do: "approve" | "undo" | "skip"; readonly which: number }
  | { readonly do: "settle"; readonly which: number; readonly as: "again" | "sent" | "dropped" }
  | { readonly do: "automatic" | "videos"; readonly on: boolean }
  | { readonly do: "forward"; readonly on: boolean; readonly byInvitation: boolean }
  | { readonly do: "account"; readonly which: number; readonly on: boolean }
  | { readonly do: "mood"; readonly mood: NetworkMood }
  | { readonly do: "restore" | "previous"; readonly which: number }
  | { readonly do: "damage"; readonly damage: Damage; readonly unclean: boolean }
  /** The launcher is killed after this many more writes and requests. */
  | { readonly do: "killIn"; readonly writes: number };

const which = fc.nat({ max: 5 });
const on = fc.boolean();
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const kind = fc.constantFrom("zero", "noise", "cut");
/** What decides what is sent, and what is handled. */
const tables = [
  ...["event", "receipt", "hand_over", "event_floor", "post", "delivery", "post_rule", "account", "forward_target"],
  ...[
    "forward_report",
    "forward_count",
    "issue",
    "issue_fingerprint",
    "issue_tally",
    "receipt_of_event",
    "sqlite_schema",
  ],
];
const damage: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("damage" as const),
  damage: fc.record({ kind, share, tree: fc.oneof(share, fc.constantFrom(...tables)) }),
  unclean: fc.boolean(),
});

const plain = (...names: ("dispatch" | "advance" | "restart" | "kill" | "backup" | "removeTarget" | "clipPost")[]) =>
  fc.constantFrom(...names).map((name): Step => ({ do: name }));
const report: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("report" as const),
  text: fc.nat({ max: 2 }),
  times: fc.constantFrom(1, 1, 2, 30),
});
const trigger = (...kinds: ("social" | "recording")[]): fc.Arbitrary<Step> =>
  fc.record({ do: fc.constant("trigger" as const), kind: fc.constantFrom(...kinds) });
const decision: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom("approve", "approve", "undo", "skip"), which });
const settlement: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("settle" as const),
  which,
  as: fc.constantFrom("again", "sent", "dropped"),
});
const consent: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("automatic", "videos"), on } as const),
  fc.record({ do: fc.constant("forward"), on, byInvitation: fc.boolean() } as const),
  fc.record({ do: fc.constant("account"), which: fc.nat({ max: 1 }), on } as const),
);
const mood: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("mood" as const),
  mood: fc.constantFrom(...networkMoods),
});
const restore: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom("restore", "restore", "previous"), which });
const killIn: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("killIn" as const),
  writes: fc.integer({ min: 1, max: 12 }),
});

const flat = (runs: fc.Arbitrary<readonly (readonly Step[])[]>): fc.Arbitrary<Step[]> => runs.map((all) => all.flat());
const one = (...steps: fc.Arbitrary<Step>[]) => fc.tuple(fc.oneof(...steps));
const now = (...steps: Step[]) => steps.map((step) => fc.constant(step));

/** Everything, in any order. */
export const anySteps = flat(
  fc.array(
    fc.oneof(
      { weight: 8, arbitrary: one(report, trigger("social", "social", "recording"), plain("dispatch")) },
      { weight: 4, arbitrary: one(decision, consent, consent) },
      { weight: 4, arbitrary: one(plain("advance", "backup"), restore) },
      {
        weight: 3,
        arbitrary: one(damage, mood, killIn, settlement, plain("restart", "kill", "removeTarget", "clipPost")),
      },
      { weight: 2, arbitrary: fc.tuple(trigger("social"), ...now({ do: "dispatch" }), decision, plain("advance")) },
      {
        weight: 2,
        arbitrary: fc.tuple(...now({ do: "automatic", on: true }), trigger("social"), plain("backup", "dispatch")),
      },
      { weight: 2, arbitrary: fc.tuple(consent, ...now({ do: "backup" }), consent, fc.oneof(restore, damage)) },
      {
        weight: 2,
        arbitrary: fc.tuple(plain("backup", "dispatch"), plain("advance"), restore, ...now({ do: "dispatch" })),
      },
    ),
    { minLength: 2, maxLength: 10, size: "max" },
  ),
);

/** Posts alone: decisions, moody networks, kills at any write and request, restores. */
export const postSteps = flat(
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.tuple(plain("clipPost"), decision) },
      { weight: 4, arbitrary: fc.tuple(killIn, plain("advance", "clipPost")) },
      { weight: 3, arbitrary: one(mood, decision, settlement, plain("advance", "backup")) },
      { weight: 3, arbitrary: fc.tuple(decision, plain("advance")) },
      { weight: 1, arbitrary: one(restore, plain("kill", "restart")) },
      { weight: 1, arbitrary: fc.tuple(mood, plain("advance"), ...now({ do: "mood", mood: "works" }), settlement) },
    ),
    { minLength: 3, maxLength: 14, size: "max" },
  ),
);
