// A rule in the units of the windows.
import type { RecordingRule } from "@kit/contract";
import type { MomentRule } from "./windows.ts";

export function momentRuleOf(rule: RecordingRule, action: MomentRule["action"]): MomentRule {
  const ms = (name: "pre" | "post" | "mergeGap" | "longest" | "cooldown") => Math.round(rule[`${name}Seconds`] * 1_000);
  const span = { preMs: ms("pre"), postMs: ms("post"), mergeGapMs: ms("mergeGap"), longestMs: ms("longest") };
  return { ...span, cooldownMs: ms("cooldown"), priority: rule.priority, action };
}
