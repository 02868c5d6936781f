// A line of code or a terminal command, with a button to copy it.
import { t } from "../language/language.ts";
import { CopyButton } from "./copy-button.tsx";

export function CommandLine({ command, prompt = "$" }: { command: string; prompt?: string }) {
  return (
    <div className="command-line">
      {prompt && (
        <span className="code quiet" aria-hidden="true">
          {prompt}
        </span>
      )}
      <code>{command}</code>
      <CopyButton text={command} label={t("Copy: {{text}}", { text: command })} />
    </div>
  );
}
