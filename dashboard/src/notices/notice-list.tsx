// The notices, newest first, each a way to its issue.
import { type Notice, noticeSays } from "@kit/contract";
import { agoOf } from "../clips/measures.ts";
import { issuesAddress } from "../frame/address.ts";
import { t } from "../language/language.ts";
import { gameWord, titleWord } from "./words.ts";

type Props = { notices: readonly Notice[]; nowMs: number; onFollow: () => void };

export function NoticeList({ notices, nowMs, onFollow }: Props) {
  return (
    <ol className="notice-list">
      {notices.map((notice) => (
        <li key={notice.number} data-unseen={!notice.seen && !notice.quiet} data-kind={notice.kind}>
          <a href={issuesAddress(notice.issue)} onClick={onFollow}>
            <span className="notice-says">
              {!notice.seen && !notice.quiet && <span className="unseen">{t("Not seen:")} </span>}
              {noticeSays(notice)}
            </span>
            <span className="notice-title">{titleWord(notice)}</span>
            <span className="notice-where">
              {gameWord(notice.game)} ·{" "}
              <time dateTime={notice.at} title={new Date(notice.at).toLocaleString()}>
                {agoOf(notice.at, nowMs)}
              </time>
              {notice.quiet && ` · ${t("quiet")}`}
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}
