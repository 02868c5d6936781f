// The form of a new or existing post rule, with a preview for each network.
import { type Account, type PostVariable, postTextCharsMax } from "@kit/contract";
import { Button, TextArea, TextField } from "@radix-ui/themes";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import { accountsAddress } from "../../ui/address.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { FieldRow, NumberQuestion, Select } from "../../ui/fields.tsx";
import { formatNumber } from "../../ui/format.ts";
import { clearNumber, writeNumber } from "../../ui/numbers.ts";
import {
  AccountName,
  AltTextField,
  AttachmentField,
  AudienceFields,
  PostPreviews,
} from "../../ui/posts/post-fields.tsx";
import { visibleText } from "../../ui/visible-text.ts";
import { exampleEvent, insertVariable, type PostRuleDraft, ruleVariables } from "./rule-draft.ts";
import { approvalChoices, missingFootageChoices, variableText } from "./rule-text.ts";
import { useEventIds } from "./use-post-rules.ts";

type AccountChoiceProps = {
  accounts: readonly Account[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
};

/** The field to choose which accounts receive the posts of a rule. */
function AccountChoice({ accounts, chosen, onChange }: AccountChoiceProps) {
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  // An account that no longer exists stays in the list after it is unchecked: it can be checked again, and the focus is
  // not lost.
  const [initial] = useState(chosen);
  const removed = initial.filter((id) => !accounts.some((account) => account.id === id));
  // The demo's account takes the demo's posts only, so no other rule is offered it.
  const offered = accounts.filter(({ id, demo }) => !demo || initial.includes(id));
  return (
    <fieldset className="setting account-choice">
      <legend>{t("Recipients")}</legend>
      <div className="setting-value">
        {offered.length === 0 && (
          <p>
            {t("No account is connected yet.")} <a href={accountsAddress}>{t("Connect one")}</a>
          </p>
        )}
        {offered.map((account) => (
          <label key={account.id} className="switch-label">
            <input type="checkbox" checked={chosen.includes(account.id)} onChange={() => toggle(account.id)} />
            <AccountName of={account} />
            {!account.enabled && <span className="setting-hint small quiet">{t("switched off")}</span>}
            {account.enabled && account.stopped !== null && (
              <span className="setting-hint small quiet">{t("stopped")}</span>
            )}
          </label>
        ))}
        {removed.map((id) => (
          <label key={id} className="switch-label">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            {t("A removed account")}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type Props = {
  title: string;
  start: PostRuleDraft;
  accounts: readonly Account[];
  error: Error | undefined;
  /** Resolves to true if the rule was saved. */
  onSave: (rule: PostRuleDraft) => Promise<boolean>;
  onClose: () => void;
};

export function PostRuleEditor({ title, start, accounts, error, onSave, onClose }: Props) {
  const id = useId();
  const [rule, setRule] = useState(start);
  const [cooldown, setCooldown] = useState(writeNumber(start.cooldownSeconds));
  const [shownProblem, setShownProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const { seen } = useEventIds();
  useEffect(() => form.current?.querySelector<HTMLElement>("input")?.focus(), []);
  const set = (members: Partial<PostRuleDraft>) => setRule((now) => ({ ...now, ...members }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const cooldownSeconds = clearNumber(cooldown);
    const problem =
      rule.accounts.length === 0
        ? t("Choose at least one account.")
        : cooldownSeconds === undefined
          ? t("Enter the time between two posts in seconds.")
          : undefined;
    setShownProblem(problem);
    if (problem !== undefined || cooldownSeconds === undefined) return;
    if (await onSave({ ...rule, cooldownSeconds })) onClose();
  };
  const { text, contentWarning, altText, pattern } = rule;
  const recipients = rule.accounts.length > 0 ? { accounts: rule.accounts } : {};
  const trouble = shownProblem ?? error?.message;
  return (
    <form ref={form} className="card rule-editor" aria-labelledby={id} onSubmit={submit}>
      <h2 id={id}>{title}</h2>
      <EventFields rule={rule} accounts={accounts} onChange={set} />
      <PostPreviews body={{ text, contentWarning, altText, ...exampleEvent(pattern, seen), ...recipients }} />
      <AttachmentFields rule={rule} onChange={set} />
      <DeliveryFields rule={rule} onChange={set} cooldown={cooldown} onCooldown={setCooldown} />
      <ErrorText error={trouble} />
      <div className="cluster tight">
        <Button type="submit">{t("Save the rule")}</Button>
        <Button type="button" variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
      </div>
    </form>
  );
}

type FieldsProps = { rule: PostRuleDraft; onChange: (members: Partial<PostRuleDraft>) => void };

const exampleId = "mygame_boss_defeated";

function EventFields({ rule, accounts, onChange }: FieldsProps & { accounts: readonly Account[] }) {
  const list = useId();
  const { suggestions, suggestedTexts } = useEventIds();
  const suggestion = suggestedTexts.get(rule.pattern);
  return (
    <>
      <FieldRow
        label={t("Event ID")}
        hint={t("The id that the game sends. Each * matches any text: mygame_* matches every event of mygame.")}
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
              {suggestions.map((eventId) => (
                <option key={eventId} value={eventId} />
              ))}
            </datalist>
          </>
        )}
      </FieldRow>
      <AccountChoice accounts={accounts} chosen={rule.accounts} onChange={(chosen) => onChange({ accounts: chosen })} />
      <FieldRow
        label={t("Text")}
        hint={t("Your text. Kit replaces variables in double braces with values from the event, as plain text.")}
      >
        {({ field, hint }) => (
          <>
            <PostTextField id={field} describedBy={hint} value={rule.text} onChange={(text) => onChange({ text })} />
            {suggestion !== undefined && suggestion !== rule.text && (
              <SuggestedText text={suggestion} onUse={() => onChange({ text: suggestion })} />
            )}
          </>
        )}
      </FieldRow>
    </>
  );
}

/** The text that the game's developer suggests, with a button to use it. */
function SuggestedText({ text, onUse }: { text: string; onUse: () => void }) {
  return (
    <p className="cluster small quiet">
      <span>{t("The developer suggests: {{text}}", { text: visibleText(text) })}</span>
      <Button type="button" size="1" variant="soft" onClick={onUse}>
        {t("Use this text")}
      </Button>
    </p>
  );
}

function AttachmentFields({ rule, onChange }: FieldsProps) {
  return (
    <>
      <AttachmentField value={rule} onChange={onChange} />
      {rule.attach !== "none" && (
        <>
          <FieldRow
            label={t("If the attachment is missing")}
            hint={t("No recorder was running, or the footage was lost.")}
          >
            {({ field, hint }) => (
              <Select
                id={field}
                describedBy={hint}
                choices={missingFootageChoices()}
                value={rule.without}
                onChange={(without) => onChange({ without })}
              />
            )}
          </FieldRow>
          <AltTextField
            value={rule}
            hint={t(
              "Describes the footage for people who cannot see it. You can use the same variables as in the text.",
            )}
            onChange={onChange}
          />
        </>
      )}
    </>
  );
}

type DeliveryFieldsProps = FieldsProps & { cooldown: string; onCooldown: (typed: string) => void };

function DeliveryFields({ rule, onChange, cooldown, onCooldown }: DeliveryFieldsProps) {
  return (
    <>
      <AudienceFields value={rule} onChange={onChange} />
      <FieldRow label={t("Approval")}>
        {({ field }) => (
          <Select
            id={field}
            choices={approvalChoices()}
            value={rule.approval}
            onChange={(approval) => onChange({ approval })}
          />
        )}
      </FieldRow>
      <FieldRow
        label={t("Between two posts")}
        hint={t("30 to {{most}} seconds after a post. Until then, further posts of the same event are held back.", {
          most: formatNumber(86_400),
        })}
      >
        {({ field, hint }) => (
          <>
            <span className="with-unit">
              <TextField.Root
                id={field}
                aria-describedby={hint}
                className="number-field"
                inputMode="decimal"
                value={cooldown}
                onChange={({ target }) => onCooldown(target.value)}
              />
              {t("seconds")}
            </span>
            <NumberQuestion typed={cooldown} onChoose={onCooldown} />
          </>
        )}
      </FieldRow>
    </>
  );
}

type PostTextFieldProps = { id: string; describedBy: string; value: string; onChange: (text: string) => void };

function PostTextField({ id, describedBy, value, onChange }: PostTextFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number>(undefined);
  // Moves the caret behind the inserted variable as soon as the new text is drawn.
  useEffect(() => {
    const at = caret.current;
    if (at === undefined || field.current === null) return;
    caret.current = undefined;
    field.current.focus();
    field.current.setSelectionRange(at, at);
  });
  const insert = (variable: PostVariable) => {
    const { selectionStart, selectionEnd } = field.current ?? {
      selectionStart: value.length,
      selectionEnd: value.length,
    };
    const { text, at } = insertVariable(value, variable, selectionStart, selectionEnd);
    caret.current = at;
    onChange(text);
  };
  return (
    <>
      <TextArea
        ref={field}
        id={id}
        aria-describedby={describedBy}
        rows={4}
        maxLength={postTextCharsMax}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <fieldset className="cluster tight">
        <legend className="unseen">{t("Insert a variable")}</legend>
        {ruleVariables.map((variable) => (
          <Button
            key={variable}
            type="button"
            size="1"
            variant="surface"
            color="gray"
            title={variableText(variable).description}
            onClick={() => insert(variable)}
          >
            {variableText(variable).says}
          </Button>
        ))}
      </fieldset>
    </>
  );
}
