// The lines around the rows that say what is not among them, and fetch it.
import { Button } from "@radix-ui/themes";
import { useMutation } from "@tanstack/react-query";
import { locale, t } from "../language/language.ts";
import { rowsMax } from "./feed.ts";

type LoadProps = { says: string; onLoad: () => Promise<void> };

function LoadButton({ says, onLoad }: LoadProps) {
  const load = useMutation({ mutationFn: onLoad });
  return (
    <>
      <Button variant="soft" color="gray" disabled={load.isPending} onClick={() => load.mutate()}>
        {says}
      </Button>
      {load.error && <span role="alert">{load.error.message}</span>}
    </>
  );
}

export function Skipped({ count, onLoad }: { count: number; onLoad: () => Promise<void> }) {
  return (
    <div className="notice-line">
      <p role="status">
        {t("{{events}} more arrived than the page could show.", { events: count.toLocaleString(locale()) })}
      </p>
      <LoadButton says={t("Load them")} onLoad={onLoad} />
    </div>
  );
}

export function Older({ rows, onLoad }: { rows: number; onLoad: () => Promise<void> }) {
  return (
    <div className="notice-line">
      {rows >= rowsMax ? (
        <p>{t("The newest {{rows}} are shown. Kit keeps the older ones.", { rows: rowsMax })}</p>
      ) : (
        <LoadButton says={t("Show older")} onLoad={onLoad} />
      )}
    </div>
  );
}
