// Labels of a session: its game, ending and times.

import type { GameSession } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { locale } from "../../language/language.ts";
import type { Tone } from "../../ui/event-text.ts";
import { gameName } from "../../ui/game-name.ts";
import { toneColours } from "../../ui/labels.tsx";
import { endingLabel } from "../../ui/sessions/session-text.ts";
import { visibleLine } from "../../ui/visible-text.ts";

export function ToneBadge({ says, tone, title }: { says: string; tone: Tone; title?: string }) {
  return (
    <Badge
      className="state"
      color={toneColours[tone]}
      variant={tone === "quiet" ? "outline" : "soft"}
      data-tone={tone}
      title={title}
    >
      {says}
    </Badge>
  );
}

export function EndingBadge({ session }: { session: GameSession }) {
  const { says, tone, title } = endingLabel(session);
  return <ToneBadge says={visibleLine(says, 60)} tone={tone} title={title} />;
}

export const GameName = ({ session }: { session: GameSession }) => (
  <bdi className="session-game" data-unsorted={session.game === null}>
    {gameName(session.game, 80)}
  </bdi>
);

const clock: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const whole: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

const formatted = (options: Intl.DateTimeFormatOptions, at: string): string => {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : time.toLocaleString(locale(), options);
};
export const timeOfDay = (at: string): string => formatted(clock, at);
export const dateAndTime = (at: string): string => formatted(whole, at);
