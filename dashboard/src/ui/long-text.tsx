// Text of any length from outside Kit. Hidden characters are made visible, and at first only the beginning is drawn.
import { Button } from "@radix-ui/themes";
import { type ReactNode, useState } from "react";
import { locale, t } from "../language/language.ts";
import { visibleJson, visibleText } from "./visible-text.ts";

/** How many characters are drawn at first. A browser takes noticeable time to lay out longer texts. */
const drawnCharsMax = 6_000;

export function LongText({ text, label }: { text: string; label: string }) {
  return <Drawn visible={visibleText(text)} label={label} draw={(shown) => shown} />;
}

export function JsonText({ value, label }: { value: unknown; label: string }) {
  return <Drawn visible={visibleJson(value)} label={label} draw={withNames} />;
}

/** Highlights the names of members. Formatted JSON has one member per line. */
function withNames(json: string): ReactNode {
  const lines = json.split("\n").map((line) => /^(\s*"(?:[^"\\]|\\.)*")(: .*)$/u.exec(line) ?? ["", "", line]);
  // Lines have no id and never move, so their index is a stable key.
  return lines.map(([, name, rest], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <span key={index}>
      {name && <span className="member-name">{name}</span>}
      {`${rest}\n`}
    </span>
  ));
}

type DrawnProps = { visible: string; label: string; draw: (shown: string) => ReactNode };

function Drawn({ visible, label, draw }: DrawnProps) {
  const [whole, setWhole] = useState(false);
  const shown = whole ? visible : visible.slice(0, drawnCharsMax);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <section className="long-text code scroll" aria-label={label} tabIndex={0}>
        <pre>{draw(shown)}</pre>
      </section>
      {shown.length < visible.length && (
        <Button size="1" variant="soft" color="gray" onClick={() => setWhole(true)}>
          {t("Show all {{characters}} characters", { characters: visible.length.toLocaleString(locale()) })}
        </Button>
      )}
    </>
  );
}
