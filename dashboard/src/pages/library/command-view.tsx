// Shows exactly what Play starts: the command with its arguments in quotes, and the working folder.
import { formatCommand, type GameCommand } from "@kit/contract";
import { t } from "../../language/language.ts";
import { Fact } from "../../ui/section.tsx";
import { visibleText } from "../../ui/visible-text.ts";

export function CommandView({ command }: { command: GameCommand }) {
  return (
    <dl className="facts small command-shown">
      <Fact name={t("Command")}>
        <code>{visibleText(formatCommand(command))}</code>
      </Fact>
      <Fact name={t("Folder")}>
        <code>{visibleText(command.folder)}</code>
      </Fact>
    </dl>
  );
}
