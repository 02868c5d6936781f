// A button that copies text and confirms it, and a terminal command with such a button.
import { Button, IconButton } from "@radix-ui/themes";
import { useEffect, useState } from "react";
import { useKitCommand } from "../api/use-launcher.ts";
import { t } from "../language/language.ts";
import { Icon } from "./icon.tsx";

const saidMs = 2_000;

type Outcome = "copied" | "failed" | undefined;
const word = (outcome: "copied" | "failed") => (outcome === "copied" ? t("Copied") : t("Copying failed"));

/** `shows` is the text of the button; if left out, it shows an icon. `label` says what is copied. */
type Props = { text: string; label: string; shows?: string; size?: "1" | "2" };

/** A button that copies text and confirms it. */
export function CopyButton({ text, label, shows, size = "1" }: Props) {
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), saidMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome("copied"),
      () => setOutcome("failed"),
    );
  const icon = <Icon name={outcome === "copied" ? "check" : "copy"} size={14} />;
  const says = outcome === undefined ? undefined : word(outcome);
  return (
    <>
      {shows === undefined ? (
        <IconButton size="1" variant="ghost" color="gray" aria-label={label} title={says ?? label} onClick={copy}>
          {icon}
        </IconButton>
      ) : (
        <Button size={size} variant="soft" color="gray" aria-label={label} onClick={copy}>
          {icon} {says ?? shows}
        </Button>
      )}
      <span className="unseen" role="status">
        {says}
      </span>
    </>
  );
}

/**
 * A line of code or a terminal command, with a button to copy it. A `kit` command is written as it reaches this launcher.
 */
export function CommandLine({ command: given, prompt = "$" }: { command: string; prompt?: string }) {
  const command = useKitCommand(given);
  return (
    <div className="command-line">
      {prompt && (
        <span className="code quiet" aria-hidden="true">
          {prompt}
        </span>
      )}
      <code>{command}</code>
      <CopyButton text={command} label={t("Copy: {{text}}", { text: command })} />
    </div>
  );
}
