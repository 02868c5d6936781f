// The text of a rule, with its variables as chips that are put where the caret is.
import { type PostVariable, postTextCharsMax } from "@kit/contract";
import { Button, TextArea } from "@radix-ui/themes";
import { useEffect, useRef } from "react";
import { t } from "../../language/language.ts";
import { variables, withVariable } from "../../ui/posts/rule-draft.ts";
import { variableWord } from "./words.ts";

type Props = { id: string; describedBy: string; value: string; onChange: (text: string) => void };

export function RuleTextField({ id, describedBy, value, onChange }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number>(undefined);
  // Once the text is drawn, the typing goes on after what was put in.
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
    const { text, at } = withVariable(value, variable, selectionStart, selectionEnd);
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
      <fieldset className="variables">
        <legend className="unseen">{t("Put into the text")}</legend>
        {variables.map((variable) => (
          <Button
            key={variable}
            type="button"
            size="1"
            variant="surface"
            color="gray"
            title={variableWord(variable).about}
            onClick={() => insert(variable)}
          >
            {variableWord(variable).says}
          </Button>
        ))}
      </fieldset>
    </>
  );
}
