// A text as each network would have it, with its own count and what it would refuse.
import { type BodyOf, type PostPreview, previewPost } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useClient } from "../../api/session-context.ts";
import { t, translateMessage } from "../../language/language.ts";
import { Icon } from "../icon.tsx";
import { fullCount } from "../issues/issue-measures.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import { networkWord } from "./post-words.ts";

/** Each letter would ask the launcher otherwise. */
const askAfterMs = 250;

type Previewed = BodyOf<typeof previewPost>;

/** The value as it was when it last stood still. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), askAfterMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** What a text would be on each network, asked a moment after the last letter. */
function usePreview(body: Previewed) {
  const client = useClient();
  const asked = useSettled(JSON.stringify(body));
  return useQuery({
    queryKey: ["post-preview", asked],
    queryFn: () => client.call(previewPost, { body: JSON.parse(asked) as Previewed }),
    placeholderData: (before) => before,
    retry: false,
    gcTime: 0,
  });
}

export function Previews({ body }: { body: Previewed }) {
  const { data, error } = usePreview(body);
  const previews = data?.previews ?? [];
  const problems = new Set(previews.flatMap((preview) => preview.problems)).size;
  return (
    <section className="previews" aria-label={t("As each network would have it")}>
      {error && (
        <p className="details-warning" role="alert">
          {error.message}
        </p>
      )}
      <ul>
        {previews.map((preview) => (
          <li key={preview.account ?? preview.network}>
            <Preview preview={preview} />
          </li>
        ))}
      </ul>
      <p className="unseen" role="status">
        {problems > 0 &&
          t("{{count, number}} things a network would refuse", {
            count: problems,
            defaultValue_one: "1 thing a network would refuse",
          })}
      </p>
    </section>
  );
}

function Preview({ preview: { account, network, name, text, length, limits, problems } }: { preview: PostPreview }) {
  const { says, icon } = networkWord(network);
  const over = length > limits.textMax;
  return (
    <div className="preview" data-bad={problems.length > 0}>
      <p className="preview-head">
        <Icon name={icon} size={14} />
        <strong>{says}</strong>
        {account !== null && <bdi>{visibleLine(name, 60)}</bdi>}
        <span className="preview-count" data-over={over}>
          {fullCount(length)} / {fullCount(limits.textMax)}
          <span className="unseen"> {limits.counts}</span>
        </span>
      </p>
      <p className="preview-text">
        <bdi>{visibleText(text) || t("No text")}</bdi>
      </p>
      {problems.map((problem) => (
        <p key={problem} className="preview-problem">
          <Icon name="warning" size={14} />
          <span>{visibleText(translateMessage(problem))}</span>
        </p>
      ))}
    </div>
  );
}
