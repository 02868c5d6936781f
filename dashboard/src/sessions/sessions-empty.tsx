// Where there are no sessions to show: how the first one comes about.
import { Button, Heading, Text } from "@radix-ui/themes";
import { connectAddress } from "../frame/address.ts";
import { CommandLine } from "../frame/command-line.tsx";
import mark from "../frame/mark.svg";
import { t } from "../language/language.ts";

export function NoSessions() {
  return (
    <section className="empty" aria-labelledby="no-sessions">
      <img src={mark} width="56" height="56" alt="" />
      <Heading as="h2" size="5" weight="medium" id="no-sessions">
        {t("No sessions yet")}
      </Heading>
      <Text as="p" color="gray">
        {t(
          "A session is one run of one game, with all that happened in it on one track. It begins with the game's first event.",
        )}
      </Text>
      <Text as="p" color="gray">
        {t("Started this way, Kit also sees how the game ends, and makes an error report of a crash:")}
      </Text>
      <CommandLine command="npx kit run -- ./mygame" />
      <p className="session-more">
        <a href={connectAddress()}>{t("Connect a game")}</a>
      </p>
    </section>
  );
}

export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <section className="empty" aria-labelledby="no-sessions">
      <Heading as="h2" size="4" weight="medium" id="no-sessions">
        {t("No session of this game")}
      </Heading>
      <Text as="p" color="gray">
        {t("When it is played, its sessions appear here by themselves.")}
      </Text>
      <Button variant="soft" onClick={onClear}>
        {t("Show all sessions")}
      </Button>
    </section>
  );
}
