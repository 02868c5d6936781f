// What Kit sees of a game that does not get through, in sentences, each with what to do.
import { Button } from "@radix-ui/themes";
import { useId, useRef } from "react";
import { Icon, type IconName } from "../frame/icon.tsx";
import { t } from "../language/language.ts";
import type { Connection } from "../live/follow-feed.ts";
import { Time } from "../live/labels.tsx";
import type { Row } from "../live/row.ts";
import type { Problem, Remedy } from "./problem.ts";
import { useProblems } from "./use-facts.ts";
import { useRemedy } from "./use-remedy.ts";
import "./problems.css";
import { Marked } from "./step-text.tsx";

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
