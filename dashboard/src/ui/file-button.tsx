// A button that opens the file chooser. A plain file input would look different in each browser.
import { Button } from "@radix-ui/themes";
import { type ReactNode, useRef } from "react";

type Props = { label: string; title?: string; onFile: (file: File) => void; children: ReactNode };

/** `label` names the chosen file for screen readers. Takes JSON files. */
export function FileButton({ label, title, onFile, children }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // Cleared, so that a person can choose the same file again after correcting it.
          target.value = "";
          if (file) onFile(file);
        }}
      />
      <Button type="button" variant="soft" title={title} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
