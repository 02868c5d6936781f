// The rules: what happens at each event id, and how much of the screen before and after belongs to it.
import { type RecordingRule, recordingActions } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useState } from "react";
import { fireCommand } from "../clips/words.ts";
import { CommandLine } from "../frame/command-line.tsx";
import { Icon } from "../frame/icon.tsx";
import { visibleLine } from "../live/visible-text.ts";
import { Choice, numberIn, Typed } from "./fields.tsx";
import { type RuleChange, useRuleActions, useRules } from "./use-rules.ts";
import { actionWords } from "./words.ts";

/** More are found by their name; ten thousand rows of fields would stop a browser. */
const shownMax = 50;
/** Fewer than this are found by looking. */
const searchedFrom = 9;

const columns = [
  { member: "preSeconds", head: "Before", says: "Seconds before the moment" },
  { member: "postSeconds", head: "After", says: "Seconds after the moment" },
  {
    member: "mergeGapSeconds",
    head: "Joins within",
    says: "Seconds after a clip's end in which another moment still joins it",
  },
  { member: "longestSeconds", head: "Longest", says: "Seconds a clip may be long" },
  { member: "cooldownSeconds", head: "Cooldown", says: "Seconds in which the same id makes a clip no longer" },
  { member: "priority", head: "Priority", says: "0 to 1,000: what is kept longest when room is needed" },
] as const satisfies readonly { member: keyof RecordingRule; head: string; says: string }[];

const actions = recordingActions.map((value) => ({ value, says: actionWords[value] }));

export function RuleSection() {
  const { data, error } = useRules();
  const [words, setWords] = useState("");
  const rules = data?.rules ?? [];
  const found = rules.filter(({ eventId }) => eventId.toLowerCase().includes(words.trim().toLowerCase()));
  return (
    <section className="recorder-part" aria-labelledby="rules-title">
      <div className="recorder-head">
        <h2 id="rules-title">What each event makes of the screen</h2>
        {rules.length >= searchedFrom && (
          <TextField.Root
            type="search"
            aria-label="Only event ids with these letters"
            placeholder="Filter"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        )}
      </div>
      {error && (
        <p className="details-warning" role="alert">
          {error.message}
        </p>
      )}
      {data && rules.length === 0 && <NoRules />}
      {found.length > 0 && <RuleTable rules={found.slice(0, shownMax)} />}
      {data && rules.length > 0 && found.length === 0 && <p>No event id has these letters.</p>}
      {found.length > shownMax && <p>{found.length - shownMax} more: type letters of the one you look for.</p>}
    </section>
  );
}

function NoRules() {
  return (
    <>
      <p>An event id is listed here once a game has sent it. Until it has a rule of its own, it makes a clip.</p>
      <CommandLine command={fireCommand} />
    </>
  );
}

function RuleTable({ rules }: { rules: readonly RecordingRule[] }) {
  const { change, reset } = useRuleActions();
  const refused = change.error ?? reset.error;
  return (
    <>
      {refused && (
        <p className="details-warning" role="alert">
          Not kept: {refused.message}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <section className="rules-scroll" aria-label="Rules" tabIndex={0}>
        <table className="rules">
          <thead>
            <tr>
              <th scope="col">Event id</th>
              <th scope="col">What happens</th>
              {columns.map(({ member, head, says }) => (
                <th key={member} scope="col" title={says}>
                  {head}
                </th>
              ))}
              <th scope="col">
                <span className="unseen">Reset</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rules.map((rule) => (
              <RuleRow key={rule.eventId} rule={rule} onChange={change.mutate} onReset={reset.mutate} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

type RowProps = { rule: RecordingRule; onChange: (change: RuleChange) => void; onReset: (eventId: string) => void };

function RuleRow({ rule, onChange, onReset }: RowProps) {
  const { eventId } = rule;
  const name = visibleLine(eventId, 100);
  const keep = (member: (typeof columns)[number]["member"], typed: string) => {
    const value = numberIn(typed);
    // Not a number: the launcher says what it expected, as for any other value.
    onChange({ eventId, [member]: value ?? typed } as RuleChange);
  };
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td data-label="What happens">
        <Choice
          label={`What happens at ${name}`}
          choices={actions}
          value={rule.action}
          onChange={(action) => onChange({ eventId, action })}
        />
      </td>
      {columns.map(({ member, head, says }) => (
        <td key={member} data-label={head}>
          <Typed
            className="rule-number"
            label={`${says}: ${name}`}
            numeric
            disabled={isIdle(rule, member)}
            value={String(rule[member])}
            onKeep={(typed) => keep(member, typed)}
          />
        </td>
      ))}
      <td>
        {rule.changed && (
          <Button
            size="1"
            variant="ghost"
            aria-label={`Back to the defaults: ${name}`}
            onClick={() => onReset(eventId)}
          >
            <Icon name="undo" size={14} />
            Reset
          </Button>
        )}
      </td>
    </tr>
  );
}

/** A screenshot has no length, a marker neither. */
const isIdle = ({ action }: RecordingRule, member: string): boolean => action !== "clip" && member.endsWith("Seconds");
