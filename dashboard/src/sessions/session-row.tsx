// One session in the list: which game, when, how long, how it ended, and how much happened.
import type { GameSession } from "@kit/contract";
import { sessionsAddress } from "../frame/address.ts";
import { Icon } from "../frame/icon.tsx";
import { visibleLine } from "../live/visible-text.ts";
import { laneIcons } from "./lane-words.ts";
import { EndingBadge, GameName, timeOfDay } from "./session-labels.tsx";
import { countsOf, lengthOf, lengthWords } from "./words.ts";

export function SessionRow({ session, query, nowMs }: { session: GameSession; query: string; nowMs: number }) {
  const { id, program, startedAt } = session;
  return (
    <li>
      <a className="session-row" href={sessionsAddress(id, query)}>
        <span className="session-name">
          <GameName session={session} />
          {program !== null && <bdi className="session-program">{visibleLine(program, 60)}</bdi>}
        </span>
        <span className="session-when">
          <time dateTime={startedAt} title={startedAt}>
            {timeOfDay(startedAt)}
          </time>
          <span className="session-length">{lengthWords(lengthOf(session, nowMs))}</span>
        </span>
        <span className="session-counts">
          {countsOf(session).map(({ lane, says }) => (
            <span key={says} data-lane={lane}>
              {lane && <Icon name={laneIcons[lane]} size={13} />}
              {says}
            </span>
          ))}
        </span>
        <EndingBadge session={session} />
      </a>
    </li>
  );
}
