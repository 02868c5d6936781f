// Writes a rule, new or changed, with what its text would be on each network.
import type { Account } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import { accountsAddress } from "../../ui/address.ts";
import { Choice, FieldRow } from "../../ui/fields.tsx";
import { numberIn } from "../../ui/number-in.ts";
import { AccountName } from "../../ui/posts/deliveries.tsx";
import { AltTextField, AudienceFields } from "../../ui/posts/post-fields.tsx";
import { attachChoices } from "../../ui/posts/post-words.ts";
import { Previews } from "../../ui/posts/previews.tsx";
import { exampleFor, type RuleDraft } from "../../ui/posts/rule-draft.ts";
import { visibleText } from "../../ui/visible-text.ts";
import { RuleTextField } from "./rule-text-field.tsx";
import { useEventIds } from "./use-event-ids.ts";
import { approvalChoices, withoutChoices } from "./words.ts";

type AccountChoiceProps = {
  accounts: readonly Account[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
};

/** The accounts a rule's posts go to. */
function AccountChoice({ accounts, chosen, onChange }: AccountChoiceProps) {
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  // Kept in sight once it was unchecked: it can be checked again, and the focus has somewhere to be.
  const [atFirst] = useState(chosen);
  const gone = atFirst.filter((id) => !accounts.some((account) => account.id === id));
  return (
    <fieldset className="setting account-choice">
      <legend>{t("Goes to")}</legend>
      <div className="setting-value">
        {accounts.length === 0 && (
          <p>
            {t("No account is connected yet.")} <a href={accountsAddress}>{t("Connect one")}</a>
          </p>
        )}
        {accounts.map((account) => (
          <label key={account.id}>
            <input type="checkbox" checked={chosen.includes(account.id)} onChange={() => toggle(account.id)} />
            <AccountName of={account} />
            {!account.enabled && <span className="setting-hint">{t("switched off")}</span>}
            {account.enabled && account.stopped !== null && <span className="setting-hint">{t("stopped")}</span>}
          </label>
        ))}
        {gone.map((id) => (
          <label key={id}>
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            {t("An account that is gone")}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type Props = {
  title: string;
  start: RuleDraft;
  accounts: readonly Account[];
  error: Error | undefined;
  /** Resolves to whether it was kept. */
  onKeep: (rule: RuleDraft) => Promise<boolean>;
  onClose: () => void;
};

export function RuleEditor({ title, start, accounts, error, onKeep, onClose }: Props) {
  const id = useId();
  const [rule, setRule] = useState(start);
  const [cooldown, setCooldown] = useState(String(start.cooldownSeconds));
  const [refused, setRefused] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const { seen } = useEventIds();
  useEffect(() => form.current?.querySelector<HTMLElement>("input")?.focus(), []);
  const set = (members: Partial<RuleDraft>) => setRule((now) => ({ ...now, ...members }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const cooldownSeconds = numberIn(cooldown);
    const why =
      rule.accounts.length === 0
        ? t("Choose at least one account.")
        : cooldownSeconds === undefined
          ? t("The time between two posts has to be a number of seconds.")
          : undefined;
    setRefused(why);
    if (why !== undefined || cooldownSeconds === undefined) return;
    if (await onKeep({ ...rule, cooldownSeconds })) onClose();
  };
  const { text, contentWarning, altText, pattern } = rule;
  const to = rule.accounts.length > 0 ? { accounts: rule.accounts } : {};
  const trouble = refused ?? error?.message;
  return (
    <form ref={form} className="recorder-state rule-editor" aria-labelledby={id} onSubmit={submit}>
      <h2 id={id}>{title}</h2>
      <What rule={rule} accounts={accounts} onChange={set} />
      <Previews body={{ text, contentWarning, altText, eventId: exampleFor(pattern, seen).slice(0, 200), ...to }} />
      <Shows rule={rule} onChange={set} />
      <How rule={rule} onChange={set} cooldown={cooldown} onCooldown={setCooldown} />
      {trouble !== undefined && (
        <p className="details-warning" role="alert">
          {visibleText(trouble)}
        </p>
      )}
      <div className="forward-end">
        <Button type="submit">{t("Keep the rule")}</Button>
        <Button type="button" variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
      </div>
    </form>
  );
}

type PartProps = { rule: RuleDraft; onChange: (members: Partial<RuleDraft>) => void };

/** As a game would send it, in any language. */
const exampleId = "my_game_boss_defeated";

function What({ rule, accounts, onChange }: PartProps & { accounts: readonly Account[] }) {
  const list = useId();
  const { offered, proposed } = useEventIds();
  const proposal = proposed.get(rule.pattern);
  return (
    <>
      <FieldRow
        label={t("Event id")}
        hint={t("As the game sends it. Each * stands for any text: my_game_* is all of my_game.")}
      >
        {({ field, hint }) => (
          <>
            <TextField.Root
              id={field}
              aria-describedby={hint}
              list={list}
              required
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              placeholder={exampleId}
              value={rule.pattern}
              onChange={({ target }) => onChange({ pattern: target.value })}
            />
            <datalist id={list}>
              {offered.map((eventId) => (
                <option key={eventId} value={eventId} />
              ))}
            </datalist>
          </>
        )}
      </FieldRow>
      <AccountChoice accounts={accounts} chosen={rule.accounts} onChange={(chosen) => onChange({ accounts: chosen })} />
      <FieldRow
        label={t("Text")}
        hint={t("Your words. What is in double braces is filled in from the event, as plain text.")}
      >
        {({ field, hint }) => (
          <>
            <RuleTextField id={field} describedBy={hint} value={rule.text} onChange={(text) => onChange({ text })} />
            {proposal !== undefined && proposal !== rule.text && (
              <Proposal text={proposal} onTake={() => onChange({ text: proposal })} />
            )}
          </>
        )}
      </FieldRow>
    </>
  );
}

/** A developer proposes; a person takes it over, or does not. */
function Proposal({ text, onTake }: { text: string; onTake: () => void }) {
  return (
    <p className="setting-hint rule-proposal">
      <span>{t("Its developer proposes: {{text}}", { text: visibleText(text) })}</span>
      <Button type="button" size="1" variant="soft" onClick={onTake}>
        {t("Use this text")}
      </Button>
    </p>
  );
}

function Shows({ rule, onChange }: PartProps) {
  return (
    <>
      <FieldRow label={t("Shows")}>
        {({ field }) => (
          <Choice id={field} choices={attachChoices} value={rule.attach} onChange={(attach) => onChange({ attach })} />
        )}
      </FieldRow>
      {rule.attach !== "none" && (
        <>
          <FieldRow label={t("If it is missing")} hint={t("No recorder ran, or the footage was lost.")}>
            {({ field, hint }) => (
              <Choice
                id={field}
                describedBy={hint}
                choices={withoutChoices()}
                value={rule.without}
                onChange={(without) => onChange({ without })}
              />
            )}
          </FieldRow>
          <AltTextField
            value={rule}
            hint={t("What the footage shows, for who cannot see it. Variables as in the text.")}
            onChange={onChange}
          />
        </>
      )}
    </>
  );
}

type HowProps = PartProps & { cooldown: string; onCooldown: (typed: string) => void };

function How({ rule, onChange, cooldown, onCooldown }: HowProps) {
  return (
    <>
      <AudienceFields value={rule} onChange={onChange} />
      <FieldRow label={t("Approval")}>
        {({ field }) => (
          <Choice
            id={field}
            choices={approvalChoices()}
            value={rule.approval}
            onChange={(approval) => onChange({ approval })}
          />
        )}
      </FieldRow>
      <FieldRow
        label={t("Between two")}
        hint={t("30 to 86,400. Within them the rule makes no second post; what it held is counted.")}
      >
        {({ field, hint }) => (
          <span className="with-unit">
            <TextField.Root
              id={field}
              aria-describedby={hint}
              className="number-field"
              inputMode="numeric"
              value={cooldown}
              onChange={({ target }) => onCooldown(target.value)}
            />
            {t("seconds")}
          </span>
        )}
      </FieldRow>
    </>
  );
}
