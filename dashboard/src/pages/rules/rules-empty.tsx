// What the Rules page shows when its list has no rows.
import { Button, Heading, Text } from "@radix-ui/themes";
import { t } from "../../language/language.ts";
import { connectAddress } from "../../ui/address.ts";
import { exampleClipCommand } from "../../ui/clips/clip-text.ts";
import { CommandLine } from "../../ui/command-line.tsx";

export function NoEvents() {
  return (
    <section className="empty" aria-labelledby="no-rules">
      <Heading as="h2" size="4" weight="medium" id="no-rules">
        {t("No events yet")}
      </Heading>
      <Text as="p" color="gray">
        {t(
          "An event id is listed here once a game has sent it, or its kit.events.json was imported. Until it has a rule of its own, it makes a clip.",
        )}
      </Text>
      <Button asChild>
        <a href={connectAddress()}>{t("Connect a game")}</a>
      </Button>
      <CommandLine command={exampleClipCommand} />
    </section>
  );
}
