// An error message. Screen readers announce it at once.
import { visibleText } from "./visible-text.ts";

export function ErrorText({ error }: { error: Error | string | false | null | undefined }) {
  if (!error) return null;
  return (
    <p className="error" role="alert">
      {visibleText(typeof error === "string" ? error : error.message)}
    </p>
  );
}
