// Beginning anew: what goes, what stays, and the words a person types to mean it.
import { Button, TextField } from "@radix-ui/themes";
import { type FormEvent, useId, useRef, useState } from "react";
import { Dialog } from "../frame/dialog.tsx";
import { Trans, t } from "../language/language.ts";

/** As the launcher wants to hear them, in every language. */
const words = "wipe all";

type Props = { onWipe: () => void; onClose: () => void };

export function WipeAllDialog({ onWipe, onClose }: Props) {
  const ids = { title: useId(), field: useId() };
  const [typed, setTyped] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const isMeant = typed.trim().toLowerCase() === words;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isMeant) return;
    onClose();
    onWipe();
  };
  return (
    <Dialog className="panel" labelledBy={ids.title} focusFirst={field} onClose={onClose}>
      <h2 id={ids.title}>{t("Begin anew?")}</h2>
      <ul className="kept-says">
        <li>{t("Events, issues, posts, sessions, clips, rules and settings are set aside. Kit opens empty.")}</li>
        <li>{t("You can bring all of it back from this page until you delete it there. Until then it uses room.")}</li>
        <li>{t("Passwords and keys stay, and this page stays signed in.")}</li>
        <li>
          {t("Kit closes and opens again within seconds. Games go on; what they send in that time is not taken.")}
        </li>
      </ul>
      <form className="kept-typed" onSubmit={submit}>
        <label htmlFor={ids.field}>
          <Trans i18nKey="Type <code>wipe all</code> to mean it." components={{ code: <code /> }} />
        </label>
        <TextField.Root
          ref={field}
          id={ids.field}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="panel-end">
          <Button type="button" variant="soft" color="gray" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button type="submit" color="ruby" disabled={!isMeant}>
            {t("Wipe everything")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
