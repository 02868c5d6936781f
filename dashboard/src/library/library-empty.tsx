// Before the first game: how one comes here.
import { Button, Heading, Text } from "@radix-ui/themes";
import { connectAddress } from "../frame/address.ts";
import { CommandLine } from "../frame/command-line.tsx";
import mark from "../frame/mark.svg";
import { t } from "../language/language.ts";

export function NoGames() {
  return (
    <section className="empty" aria-labelledby="no-games">
      <img src={mark} width="56" height="56" alt="" />
      <Heading as="h2" size="5" weight="medium" id="no-games">
        {t("No games yet")}
      </Heading>
      <Text as="p" color="gray">
        {t("A game is here once it has sent an event, or once you say how it is started:")}
      </Text>
      <CommandLine command="npx kit games play my_game -- ./my_game" />
      <Button asChild>
        <a href={connectAddress()}>{t("Connect a game, or play the demo")}</a>
      </Button>
    </section>
  );
}
