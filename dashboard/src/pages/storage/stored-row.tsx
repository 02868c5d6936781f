// One line about stored data: when it was stored, what it is, and buttons for what can be done with it.
import type { ReactNode } from "react";
import { formatDateAndMinute } from "./storage-text.ts";

export function StoredRow({ at, about, children }: { at: string; about: string; children: ReactNode }) {
  return (
    <li className="cluster spread">
      <span className="stack flush numbers">
        <time dateTime={at}>{formatDateAndMinute(at)}</time>
        <span className="small quiet">{about}</span>
      </span>
      <span className="cluster tight">{children}</span>
    </li>
  );
}
