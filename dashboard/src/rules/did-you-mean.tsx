// An id that is probably a slip of the keyboard: which one was meant, and what to do about it.
import { Button } from "@radix-ui/themes";
import { Icon } from "../frame/icon.tsx";
import { t } from "../language/language.ts";
import { visibleLine } from "../live/visible-text.ts";

/** `onOpen` is undefined while the other id is not listed. */
type Props = { meant: string; onOpen: (() => void) | undefined; onDismiss: () => void };

export function DidYouMean({ meant, onOpen, onDismiss }: Props) {
  return (
    <section className="did-you-mean" aria-label={t("A slip of the keyboard?")}>
      <Icon name="question" size={18} />
      <div>
        <p>
          <strong>{t("Did you mean {{name}}?", { name: visibleLine(meant, 200) })}</strong>
        </p>
        <p>
          {t(
            "That id came before this one and differs by a letter or two. If this is a slip, correct it in the game: until then each of the two has a rule of its own.",
          )}
        </p>
        <div className="did-you-mean-end">
          {onOpen && (
            <Button size="1" variant="soft" color="gray" onClick={onOpen}>
              {t("Open the one that is right")}
            </Button>
          )}
          <Button size="1" variant="soft" color="gray" onClick={onDismiss}>
            {t("It is another event")}
          </Button>
        </div>
      </div>
    </section>
  );
}
