// What Kit sees of a game that does not get through, in sentences, each with what to do.
import "./problems.css";
import { changeRecorder, changeRule, forgetOrigin, registerGame, switchServices } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useMemo, useRef } from "react";
import type { Row } from "../../api/event-row.ts";
import type { Connection } from "../../api/follow-feed.ts";
import { useClient } from "../../api/session-context.ts";
import { useGames } from "../../api/use-games.ts";
import { useOrigins } from "../../api/use-origins.ts";
import { useRecorder } from "../../api/use-recorder.ts";
import { useRules } from "../../api/use-rules.ts";
import { t } from "../../language/language.ts";
import { Icon, type IconName } from "../icon.tsx";
import { Time } from "../labels.tsx";
import { useNow } from "../use-now.ts";
import type { Problem, Remedy } from "./problem.ts";
import { problemsIn } from "./problems.ts";
import { Marked } from "./step-text.tsx";

type Done = Exclude<Remedy, { does: "open" | "consent" }>;

/** What a person does about a problem right where it is said: a switch is turned, a web page may ask again. */
function useRemedy() {
  const client = useClient();
  const queryClient = useQueryClient();
  const apply = (remedy: Done): Promise<unknown> => {
    switch (remedy.does) {
      case "service":
        return client.call(switchServices, { body: { [remedy.service]: true } });
      case "game":
        return client.call(registerGame, { body: { game: remedy.game, switches: { [remedy.service]: true } } });
      case "event":
        return client.call(changeRule, { body: { kind: remedy.kind, eventId: remedy.eventId, enabled: true } });
      case "record":
        return client.call(changeRecorder, { body: { when: "automatic" } });
      case "ask again":
        return client.call(forgetOrigin, { query: { origin: remedy.origin } });
    }
  };
  return useMutation({
    mutationFn: apply,
    onSettled: () =>
      Promise.all(["games", "recorder", "origins"].map((what) => queryClient.invalidateQueries({ queryKey: [what] }))),
  });
}

// What the problem finder looks at, from what the page has anyway: its rows, the games, the recorder, the web pages that ask.

/** The page comes from the launcher itself. */
const portOf = ({ port }: Location) => Number(port === "" ? 80 : port);

function reasonsIn(rows: readonly Row[]): ReadonlyMap<string, string> {
  const heard = rows.flatMap((row) =>
    row.type === "event" ? row.heard.map((entry) => [row.key, entry] as const) : [],
  );
  return new Map(heard.flatMap(([key, { reason }]) => (reason === undefined ? [] : [[key, reason]])));
}

/** Live: a new event, a new refusal or a turned switch changes it at once. */
function useProblems(rows: readonly Row[], connection: Connection): readonly Problem[] {
  const nowMs = useNow();
  const games = useGames().data;
  const origins = useOrigins().data?.origins;
  const recorder = useRecorder().data;
  const recordingRules = useRules().data?.rules;
  return useMemo(
    () =>
      problemsIn({
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

const icons: Record<Problem["weight"], IconName> = { stops: "refused", loses: "warning", notes: "eye" };

export function ProblemList({ rows, connection }: { rows: readonly Row[]; connection: Connection }) {
  const problems = useProblems(rows, connection);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const remedy = useRemedy();
  // Put right, the problem goes with its button: whoever pressed it is not left nowhere.
  const apply = (one: Applied) => remedy.mutate(one, { onSuccess: () => heading.current?.focus() });
  const serious = problems.filter(({ weight }) => weight !== "notes").length;
  return (
    <section className="problems" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {t("What Kit sees")}
      </h2>
      <p className="problems-sum" role="status">
        {serious === 0
          ? t("Nothing stands in the way.")
          : t("{{count}} problems found", { count: serious, defaultValue_one: "{{count}} problem found" })}
      </p>
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <ProblemItem key={problem.key} problem={problem} isBusy={remedy.isPending} onApply={apply} />
          ))}
        </ul>
      )}
      {remedy.error && <p role="alert">{remedy.error.message}</p>}
    </section>
  );
}

type Applied = Exclude<Remedy, { does: "open" | "consent" }>;
type ItemProps = { problem: Problem; isBusy: boolean; onApply: (remedy: Applied) => void };

function ProblemItem({ problem: { weight, says, todo, at, remedies }, isBusy, onApply }: ItemProps) {
  return (
    <li className="problem" data-weight={weight}>
      <Icon name={icons[weight]} size={18} />
      <div className="problem-says">
        <p>
          <strong>
            <bdi>{says}</bdi>
          </strong>
        </p>
        <p>
          <Marked text={todo} />
          {at !== undefined && (
            <span className="problem-at">
              {" "}
              {t("Last seen:")} <Time at={at} date />
            </span>
          )}
        </p>
      </div>
      {remedies.length > 0 && (
        <div className="problem-remedies">
          {remedies.map((one) => (
            <RemedyButton key={one.label} remedy={one} says={says} isBusy={isBusy} onApply={onApply} />
          ))}
        </div>
      )}
    </li>
  );
}

type ButtonProps = {
  remedy: Remedy;
  says: string;
  isBusy: boolean;
  onApply: (remedy: Applied) => void;
};

/** The same words stand on several: what each is about is told to who does not see it. */
function RemedyButton({ remedy, says, isBusy, onApply }: ButtonProps) {
  const label = `${remedy.label}: ${says}`;
  if (remedy.does === "open") {
    return (
      <Button asChild size="1" variant="soft" color="gray">
        <a href={remedy.address} aria-label={label}>
          {remedy.label}
        </a>
      </Button>
    );
  }
  if (remedy.does === "consent") {
    return (
      <Button size="1" aria-label={label} onClick={focusConsent}>
        {remedy.label}
      </Button>
    );
  }
  return (
    <Button size="1" aria-label={label} disabled={isBusy} onClick={() => onApply(remedy)}>
      {remedy.label}
    </Button>
  );
}

function focusConsent() {
  document.querySelector<HTMLElement>(".consent-card button")?.focus();
}
