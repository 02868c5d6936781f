// What Kit made of a call of the demo's game: acknowledged, then a clip, an issue or a draft.
import { demoGame, getIssue, issueIdInReceipt, listPosts } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import type { EventRow } from "../../api/event-row.ts";
import { useClient } from "../../api/session.ts";
import { useClipsOfEvent } from "../../api/use-clips.ts";
import { t } from "../../language/language.ts";
import { eventPostAddress, issuesAddress, rowAddress } from "../../ui/address.ts";
import { ClipTile } from "../../ui/clips/clip-tile.tsx";
import { Icon } from "../../ui/icon.tsx";
import { StateBadge, ToneBadge } from "../../ui/labels.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import type { Call } from "./kit-calls.ts";

export function CallCard({ call: { says, code }, row }: { call: Call; row: EventRow | undefined }) {
  const [open, ...values] = code.split("(");
  return (
    <li className="card demo-call">
      <p>{says}</p>
      <code className="demo-code">
        {open}(<wbr />
        {values.join("(")}
      </code>
      {row === undefined ? (
        <p className="cluster">
          <ToneBadge says={t("Sent")} tone="moving" />
        </p>
      ) : (
        <Outcome row={row} />
      )}
    </li>
  );
}

function Outcome({ row: { event, liveEntries } }: { row: EventRow }) {
  const clips = useClipsOfEvent(event.id, event.state).data?.clips ?? [];
  const issue = issueIdInReceipt(liveEntries);
  return (
    <>
      <p className="cluster tight">
        <a className="small cluster tight" href={rowAddress(event.id)}>
          <Icon name="check" size={14} />
          {t("Acknowledged")}
        </a>
        <StateBadge state={event.state} />
      </p>
      {issue !== undefined && <IssueLine id={issue} state={event.id} />}
      {event.kind === "social" && event.state !== "accepted" && <DraftLine event={event.id} state={event.state} />}
      {clips.map((clip) => (
        <ClipTile key={clip.id} clip={clip} />
      ))}
    </>
  );
}

function IssueLine({ id, state }: { id: string; state: string }) {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ["issues", "demo", id, state],
    queryFn: () => client.call(getIssue, { params: { id }, query: {} }),
  });
  if (data === undefined) return null;
  const { title, count, culprit } = data.issue;
  return (
    <a className="demo-line" href={issuesAddress(id)}>
      <Icon name="warning" />
      <span>
        <bdi className="ellipsis">{visibleLine(title, 160)}</bdi>
        <span className="small quiet">
          {t("Issue, reported {{count}} times", {
            count,
            defaultValue_one: "Issue, reported once",
          })}
          {culprit && (
            <>
              {" · "}
              <code>{visibleLine(culprit.function ?? "", 60)}</code>
            </>
          )}
        </span>
      </span>
    </a>
  );
}

function DraftLine({ event, state }: { event: string; state: string }) {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ["posts", "demo", event, state],
    queryFn: () => client.call(listPosts, { query: { game: demoGame } }),
  });
  const post = data?.posts.find((one) => one.event === event);
  if (post === undefined) return null;
  return (
    <a className="demo-line" href={eventPostAddress(event)}>
      <Icon name="megaphone" />
      <span>
        <bdi className="ellipsis">{visibleLine(post.text, 160)}</bdi>
        <span className="small quiet">{t("A draft. Kit posts nothing before you approve it.")}</span>
      </span>
    </a>
  );
}
