// The lines around the rows that say what is not among them, and fetch it.
import { Button } from "@radix-ui/themes";
import { useMutation } from "@tanstack/react-query";
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
      <p role="status">{count.toLocaleString()} more arrived than the page could show.</p>
      <LoadButton says="Load them" onLoad={onLoad} />
    </div>
  );
}

export function Older({ rows, onLoad }: { rows: number; onLoad: () => Promise<void> }) {
  return (
    <div className="notice-line">
      {rows >= rowsMax ? (
        <p>The newest {rowsMax} are shown. Kit keeps the older ones.</p>
      ) : (
        <LoadButton says="Show older" onLoad={onLoad} />
      )}
    </div>
  );
}
