// What the Rules page shows when its list has no rows.
import { Button } from "@radix-ui/themes";
import { t } from "../../language/language.ts";
import { connectAddress } from "../../ui/address.ts";
import { exampleClipCommand } from "../../ui/clips/clip-text.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { Empty } from "../../ui/empty.tsx";

export function NoEvents() {
  return (
    <Empty title={t("No events yet")}>
      <p>
        {t(
          "An event id is listed here once a game has sent it, or its kit.events.json was imported. Until it has a rule of its own, it makes a clip.",
        )}
      </p>
      <Button asChild>
        <a href={connectAddress()}>{t("Connect a game")}</a>
      </Button>
      <CommandLine command={exampleClipCommand} />
    </Empty>
  );
}
