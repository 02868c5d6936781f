// What became of each event of the demo, as its receipt says, with the way to it.
import type { DemoOutcome } from "@kit/contract";
import { clipsAddress, issuesAddress, postOfEventAddress, rowAddress } from "../frame/address.ts";
import { t } from "../language/language.ts";
import { StateBadge } from "../live/labels.tsx";
import { partWord } from "./words.ts";

type Way = { readonly address: string; readonly label: string };

function waysTo({ event, clip, issue, post }: DemoOutcome): Way[] {
  return [
    ...(clip === null ? [] : [{ address: clipsAddress(clip), label: t("Its clip") }]),
    ...(issue === null ? [] : [{ address: issuesAddress(issue), label: t("Its issue") }]),
    ...(post === null ? [] : [{ address: postOfEventAddress(event), label: t("Its draft") }]),
    { address: rowAddress(event), label: t("Its receipt") },
  ];
}

export function Outcomes({ outcomes }: { outcomes: readonly DemoOutcome[] }) {
  if (outcomes.length === 0) return null;
  return (
    <ul className="demo-outcomes">
      {outcomes.map((outcome) => (
        <li key={outcome.event}>
          <span>{partWord(outcome.part)}</span>
          <StateBadge state={outcome.state} />
          <span className="demo-ways">
            {waysTo(outcome).map(({ address, label }) => (
              <a key={label} href={address} aria-label={`${label}: ${partWord(outcome.part)}`}>
                {label}
              </a>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
