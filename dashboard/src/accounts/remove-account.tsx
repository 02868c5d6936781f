// Forgets an account, after saying what is dropped with it.
import type { Account } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { Dialog } from "../frame/dialog.tsx";
import { visibleLine } from "../live/visible-text.ts";
import { networkWord, postsWord } from "../posts/words.ts";

type Props = { account: Account; onRemove: () => void };

export function RemoveAccount({ account, onRemove }: Props) {
  const [asked, setAsked] = useState(false);
  const title = useId();
  const { name, waiting } = account;
  const { says } = networkWord(account.network);
  return (
    <>
      <Button variant="soft" color="ruby" onClick={() => setAsked(true)}>
        Remove
      </Button>
      {asked && (
        <Dialog className="panel" labelledBy={title} onClose={() => setAsked(false)}>
          <h2 id={title}>Remove this account?</h2>
          <p>
            Kit forgets {says} <bdi>{visibleLine(name, 100)}</bdi> and what opens it. To connect it again you need its
            key again.
          </p>
          <p>
            {waiting > 0
              ? `${postsWord(waiting)} that ${waiting === 1 ? "waits" : "wait"} for it will not be sent to it.`
              : "Nothing waits for it."}{" "}
            What was sent stays there, and in your list.
          </p>
          <div className="panel-end">
            <Button variant="soft" color="gray" onClick={() => setAsked(false)}>
              Keep it
            </Button>
            <Button
              color="ruby"
              onClick={() => {
                setAsked(false);
                onRemove();
              }}
            >
              Remove
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
