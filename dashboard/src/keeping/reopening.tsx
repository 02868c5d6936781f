// While the launcher closes and opens anew: what goes on, and then the page as it is from then on.
import { KitError, listAside } from "@kit/contract";
import { useEffect, useId, useRef, useState } from "react";
import { t } from "../language/language.ts";
import { useClient } from "../session/session-context.ts";
import { untilReopened } from "./until-reopened.ts";

const askMs = 300;
/** A database of a gigabyte opens in a few seconds. */
const longMs = 30_000;

/** `aside`: the name under which only the launcher that comes after knows what there was before. */
export function Reopening({ aside }: { aside: string }) {
  const client = useClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => setLong(true), longMs);
    const look = async () => {
      try {
        const { aside: there } = await client.call(listAside);
        return there.some(({ name }) => name === aside) ? "after" : "before";
      } catch (error) {
        // It is back, and knows this page no longer: loading it anew says how to get in.
        if (error instanceof KitError && error.code === "unauthorized") return "after";
        throw error;
      }
    };
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, askMs));
    void untilReopened({ look, pause, signal: stop.signal }).then(() => stop.signal.aborted || location.reload());
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [client, aside]);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className="panel" aria-labelledby={title} onCancel={(event) => event.preventDefault()}>
      <h2 id={title} tabIndex={-1}>
        {t("Kit opens anew")}
      </h2>
      <p role="status">
        {isLong
          ? t("It takes longer than usual. This page goes on waiting; kit doctor in a terminal says what is wrong.")
          : t("This page loads itself again once Kit is there. Your games go on.")}
      </p>
      <progress aria-label={t("Waiting for Kit")} />
    </dialog>
  );
}
