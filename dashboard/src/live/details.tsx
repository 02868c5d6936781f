// The pane beside the rows: everything about the selected one.
import { IconButton } from "@radix-ui/themes";
import { useEffect, useRef } from "react";
import { Icon } from "../frame/icon.tsx";
import { t } from "../language/language.ts";
import { EventDetails } from "./event-details.tsx";
import { RefusalDetails } from "./refusal-details.tsx";
import type { Row } from "./row.ts";
import "./details.css";

type Props = { row: Row; games: readonly string[]; onClose: () => void };

/** Where the pane covers the rows, the keyboard has to move with the eyes. */
const covers = matchMedia("(max-width: 959px)");

export function Details({ row, games, onClose }: Props) {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (covers.matches) close.current?.focus();
  }, []);
  return (
    <aside className="details" aria-label={t("Details")} data-testid="details">
      <IconButton
        ref={close}
        className="details-close"
        variant="ghost"
        color="gray"
        aria-label={t("Close the details")}
        title={t("Close (Esc)")}
        onClick={onClose}
      >
        <Icon name="close" />
      </IconButton>
      {row.type === "event" ? (
        <EventDetails key={row.key} row={row} games={games} />
      ) : (
        <RefusalDetails refusal={row.refusal} />
      )}
    </aside>
  );
}
