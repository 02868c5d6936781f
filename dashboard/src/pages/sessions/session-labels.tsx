// Labels of a session: its game, ending and times.
import type { GameSession } from "@kit/contract";
import { locale } from "../../language/language.ts";
import { ToneBadge } from "../../ui/labels.tsx";
import { gameName } from "../../ui/names.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { endingLabel } from "./session-text.ts";

export function EndingBadge({ session }: { session: GameSession }) {
  const { says, tone, title } = endingLabel(session);
  return <ToneBadge says={visibleLine(says, 60)} tone={tone} title={title} />;
}

export const GameName = ({ session }: { session: GameSession }) => (
  <bdi className="session-game ellipsis" data-unsorted={session.game === null}>
    {gameName(session.game, 80)}
  </bdi>
);

const clock: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const whole: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

const formatted = (options: Intl.DateTimeFormatOptions, at: string): string => {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : time.toLocaleString(locale(), options);
};
export const formatTimeOfDay = (at: string): string => formatted(clock, at);
export const formatDateAndTime = (at: string): string => formatted(whole, at);
