// Shows exactly what Play runs: the command with each argument quoted, and its working folder.
import { formatCommand, type GameCommand } from "@kit/contract";
import { t } from "../../language/language.ts";
import { visibleText } from "../../ui/visible-text.ts";

export function CommandView({ command }: { command: GameCommand }) {
  return (
    <dl className="command-shown">
      <dt>{t("Command")}</dt>
      <dd>
        <code>{visibleText(formatCommand(command))}</code>
      </dd>
      <dt>{t("Folder")}</dt>
      <dd>
        <code>{visibleText(command.folder)}</code>
      </dd>
    </dl>
  );
}
