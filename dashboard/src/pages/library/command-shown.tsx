// Exactly what Play runs: each word told apart, nothing hidden, and the folder it runs in.
import { commandInWords, type GameCommand } from "@kit/contract";
import { t } from "../../language/language.ts";
import { visibleText } from "../../ui/visible-text.ts";

export function CommandShown({ command }: { command: GameCommand }) {
  return (
    <dl className="command-shown">
      <dt>{t("Runs")}</dt>
      <dd>
        <code>{visibleText(commandInWords(command))}</code>
      </dd>
      <dt>{t("In")}</dt>
      <dd>
        <code>{visibleText(command.folder)}</code>
      </dd>
    </dl>
  );
}
