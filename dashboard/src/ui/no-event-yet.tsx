// What the Live and Connect pages show until the first event arrives.
import { t } from "../language/language.ts";
import { CommandLine } from "./command-line.tsx";

export const waitingForFirstEvent = (): string => t("Waiting for your first event");

/** A command with which a person without a game can send an event. */
export function SendFromTerminal() {
  return (
    <>
      <p>{t("No game yet? Send an event from a terminal:")}</p>
      <CommandLine command="npx kit fire recording mygame_boss_defeated" />
    </>
  );
}
