// New notices for a few seconds, under the bar. For who listens they are said elsewhere, once.
import { IconButton } from "@radix-ui/themes";
import { issuesAddress } from "../frame/address.ts";
import { Icon } from "../frame/icon.tsx";
import { t } from "../language/language.ts";
import type { ToldLine } from "./use-telling.ts";
import type { Line } from "./words.ts";

type Props = { lines: readonly ToldLine[]; onDismiss: () => void; onHeld: (isHeld: boolean) => void };

export function NoticeToasts({ lines, onDismiss, onHeld }: Props) {
  if (lines.length === 0) return null;
  return (
    <section
      className="notice-toasts"
      aria-label={t("Just noticed")}
      onMouseEnter={() => onHeld(true)}
      onMouseLeave={() => onHeld(false)}
      onFocus={() => onHeld(true)}
      onBlur={() => onHeld(false)}
    >
      <ul>
        {lines.map((line) => (
          <li key={line.key}>
            <ToastLine line={line} onFollow={onDismiss} />
          </li>
        ))}
      </ul>
      <IconButton
        size="1"
        variant="ghost"
        color="gray"
        aria-label={t("Dismiss what was just noticed")}
        onClick={onDismiss}
      >
        <Icon name="close" size={14} />
      </IconButton>
    </section>
  );
}

function ToastLine({ line: { says, title, issue }, onFollow }: { line: Line; onFollow: () => void }) {
  if (issue === undefined) return <p className="notice-says">{says}</p>;
  return (
    <a href={issuesAddress(issue)} onClick={onFollow}>
      <span className="notice-says">{says}</span>
      <span className="notice-title">{title}</span>
    </a>
  );
}
