// The offer to try Kit without a game.
import { Badge, Button } from "@radix-ui/themes";
import { useId } from "react";
import { t } from "../language/language.ts";
import { demoAddress } from "./address.ts";
import { Icon } from "./icon.tsx";

export const DemoBadge = () => (
  <Badge color="iris" variant="soft">
    {t("Demo")}
  </Badge>
);

export function DemoPanel() {
  const id = useId();
  return (
    <section className="card" data-tone="offer" aria-labelledby={id}>
      <h2 id={id}>{t("Try the demo")}</h2>
      <p>
        {t(
          "A small game sends what your game would: moments, errors and a post. Beside it, you see what Kit makes of each.",
        )}
      </p>
      <p className="cluster">
        <Button asChild>
          <a href={demoAddress}>
            <Icon name="play" size={14} />
            {t("Play the demo")}
          </a>
        </Button>
      </p>
    </section>
  );
}
