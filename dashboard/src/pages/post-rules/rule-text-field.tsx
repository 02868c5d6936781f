// The text field of a rule, with buttons that insert variables at the caret.
import { type PostVariable, postTextCharsMax } from "@kit/contract";
import { Button, TextArea } from "@radix-ui/themes";
import { useEffect, useRef } from "react";
import { t } from "../../language/language.ts";
import { insertVariable, ruleVariables } from "./rule-draft.ts";
import { variableText } from "./rule-text.ts";

type Props = { id: string; describedBy: string; value: string; onChange: (text: string) => void };

export function PostTextField({ id, describedBy, value, onChange }: Props) {
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
