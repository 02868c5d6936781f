// The list of problems that the dashboard detected, each with advice and buttons.
import "./problems.css";
import {
  changeEventIdRule,
  changeRecorder,
  forgetOrigin,
  type MessageOrText,
  registerGame,
  switchServices,
} from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useMemo, useRef } from "react";
import type { LiveRow } from "../../api/event-row.ts";
import type { FeedConnection } from "../../api/follow-feed.ts";
import { useClient } from "../../api/session.ts";
import { useGames } from "../../api/use-games.ts";
import { useOrigins } from "../../api/use-origins.ts";
import { useRecorder, useRecordingRules } from "../../api/use-recorder.ts";
import { t } from "../../language/language.ts";
import { Icon, type IconName } from "../icon.tsx";
import { Time } from "../labels.tsx";
import { useNow } from "../use-now.ts";
import type { DetectedProblem, ProblemAction } from "./problem.ts";
import { findProblems } from "./problems.ts";

/** Splits text into its plain and its marked parts, e.g. `["Press ", "**Import**", "."]`. */
const splitMarkup = (text: string): readonly string[] => text.split(/(\*\*[^*]+\*\*|`[^`]+`)/u);

const MarkupText = ({ text }: { text: string }) =>
  splitMarkup(text).map((part, index) => {
    // The parts of a text never move, and the same part may occur twice, so the index is the key.
    const key = `${index}`;
    if (part.startsWith("**")) return <strong key={key}>{part.slice(2, -2)}</strong>;
    if (part.startsWith("`")) return <code key={key}>{part.slice(1, -1)}</code>;
    return part;
  });

/** Renders texts in which **bold** marks names on the screen and `code` marks what a person types. */
export const StepText = ({ text }: { text: string }) => (
  <p>
    <MarkupText text={text} />
  </p>
);

/** The actions that send a request to the launcher. */
type RequestAction = Exclude<ProblemAction, { does: "open" | "consent" }>;

/** Performs an action: turns on a switch, or lets a web page ask for consent again. */
function useProblemAction() {
  const client = useClient();
  const queryClient = useQueryClient();
  const apply = (action: RequestAction): Promise<unknown> => {
    switch (action.does) {
      case "service":
        return client.call(switchServices, { body: { [action.service]: true } });
      case "game":
        return client.call(registerGame, { body: { game: action.game, switches: { [action.service]: true } } });
      case "event":
        return client.call(changeEventIdRule, { body: { kind: action.kind, eventId: action.eventId, enabled: true } });
      case "record":
        return client.call(changeRecorder, { body: { when: "automatic" } });
      case "ask again":
        return client.call(forgetOrigin, { query: { origin: action.origin } });
    }
  };
  return useMutation({
    mutationFn: apply,
    onSettled: () =>
      Promise.all(["games", "recorder", "origins"].map((what) => queryClient.invalidateQueries({ queryKey: [what] }))),
  });
}

/** Returns the launcher's port, which is the page's port because the launcher serves the page. */
export const portOf = ({ port }: Location) => Number(port === "" ? 80 : port);

function reasonsIn(rows: readonly LiveRow[]): ReadonlyMap<string, MessageOrText> {
  const heard = rows.flatMap((row) =>
    row.type === "event" ? row.liveEntries.map((entry) => [row.key, entry] as const) : [],
  );
  return new Map(heard.flatMap(([key, { reason }]) => (reason === undefined ? [] : [[key, reason]])));
}

/** Collects what the page knows already, and looks for problems again whenever any of it changes. */
function useProblems(rows: readonly LiveRow[], connection: FeedConnection): readonly DetectedProblem[] {
  const nowMs = useNow();
  const games = useGames().data;
  const origins = useOrigins().data?.origins;
  const recorder = useRecorder().data;
  const recordingRules = useRecordingRules().data?.rules;
  return useMemo(
    () =>
      findProblems({
        nowMs,
        connection: connection.state,
        port: portOf(location),
        games,
        origins,
        recorder,
        recordingRules,
        events: rows.flatMap((row) => (row.type === "event" ? [row.event] : [])),
        refusals: rows.flatMap((row) => (row.type === "refusal" ? [row.refusal] : [])),
        reasons: reasonsIn(rows),
      }),
    [nowMs, connection.state, games, origins, recorder, recordingRules, rows],
  );
}

const icons: Record<DetectedProblem["severity"], IconName> = { stops: "refused", loses: "warning", notes: "eye" };

const tones = { stops: "bad", loses: "warn", notes: undefined } as const;

export function ProblemList({ rows, connection }: { rows: readonly LiveRow[]; connection: FeedConnection }) {
  const problems = useProblems(rows, connection);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const action = useProblemAction();
  // When a problem is solved, its button disappears with it, so the focus moves to the heading.
  const apply = (one: RequestAction) => action.mutate(one, { onSuccess: () => heading.current?.focus() });
  const serious = problems.filter(({ severity: weight }) => weight !== "notes").length;
  return (
    <section className="stack problems" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {t("Detected problems")}
      </h2>
      <p className="quiet" role="status">
        {serious === 0
          ? t("No problems found.")
          : t("{{count}} problems found", { count: serious, defaultValue_one: "{{count}} problem found" })}
      </p>
      {problems.length > 0 && (
        <ul className="stack tight">
          {problems.map((problem) => (
            <ProblemItem key={problem.key} problem={problem} isBusy={action.isPending} onApply={apply} />
          ))}
        </ul>
      )}
      {action.error && <p role="alert">{action.error.message}</p>}
    </section>
  );
}

type ItemProps = { problem: DetectedProblem; isBusy: boolean; onApply: (action: RequestAction) => void };

function ProblemItem({ problem: { severity: weight, says, todo, at, actions: remedies }, isBusy, onApply }: ItemProps) {
  return (
    <li className="card problem" data-tone={tones[weight]}>
      <Icon name={icons[weight]} size={18} />
      <div className="stack tight">
        <p>
          <strong>
            <bdi>{says}</bdi>
          </strong>
        </p>
        <p>
          <MarkupText text={todo} />
          {at !== undefined && (
            <span className="quiet">
              {" "}
              {t("Last seen:")} <Time at={at} date />
            </span>
          )}
        </p>
      </div>
      {remedies.length > 0 && (
        <div className="cluster tight">
          {remedies.map((one) => (
            <ActionButton key={one.label} action={one} says={says} isBusy={isBusy} onApply={onApply} />
          ))}
        </div>
      )}
    </li>
  );
}

type ButtonProps = {
  action: ProblemAction;
  says: string;
  isBusy: boolean;
  onApply: (action: RequestAction) => void;
};

/** Several buttons may show the same text, so for screen readers the name of the problem is added. */
function ActionButton({ action, says, isBusy, onApply }: ButtonProps) {
  const label = `${action.label}: ${says}`;
  if (action.does === "open") {
    return (
      <Button asChild size="1" variant="soft" color="gray">
        <a href={action.address} aria-label={label}>
          {action.label}
        </a>
      </Button>
    );
  }
  if (action.does === "consent") {
    return (
      <Button size="1" aria-label={label} onClick={focusConsent}>
        {action.label}
      </Button>
    );
  }
  return (
    <Button size="1" aria-label={label} disabled={isBusy} onClick={() => onApply(action)}>
      {action.label}
    </Button>
  );
}

function focusConsent() {
  document.querySelector<HTMLElement>(".consent-card button")?.focus();
}
