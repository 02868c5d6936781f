// What the Rules page shows when its list has no rows.
import { Button, Heading, Text } from "@radix-ui/themes";
import type { ReactNode } from "react";
import { t } from "../../language/language.ts";
import { connectAddress } from "../../ui/address.ts";
import { exampleClipCommand } from "../../ui/clips/clip-text.ts";
import { CommandLine } from "../../ui/command-line.tsx";

function Empty({ title, says, children }: { title: string; says: string; children: ReactNode }) {
  return (
    <section className="empty" aria-labelledby="no-rules">
      <Heading as="h2" size="4" weight="medium" id="no-rules">
        {title}
      </Heading>
      <Text as="p" color="gray">
        {says}
      </Text>
      {children}
    </section>
  );
}

export function NoEvents() {
  return (
    <Empty
      title={t("No events yet")}
      says={t(
        "An event id is listed here once a game has sent it, or its kit.events.json was imported. Until it has a rule of its own, it makes a clip.",
      )}
    >
      <Button asChild>
        <a href={connectAddress()}>{t("Connect a game")}</a>
      </Button>
      <CommandLine command={exampleClipCommand} />
    </Empty>
  );
}

export function NoMatchingEvents({ onClear }: { onClear: () => void }) {
  return (
    <Empty title={t("No event matches these filters")} says={t("New matches appear here automatically.")}>
      <Button variant="soft" onClick={onClear}>
        {t("Show all events")}
      </Button>
    </Empty>
  );
}
