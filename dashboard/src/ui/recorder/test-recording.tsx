// The result of a test recording: message, attempted configurations, and the clip.
import type { TestRecording } from "@kit/contract";
import { useClip } from "../../api/use-clips.ts";
import type { useTestRecording } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { ClipTile } from "../clips/clip-tile.tsx";
import { Icon } from "../icon.tsx";
import { visibleText } from "../visible-text.ts";
import "./recorder.css";

export function TestRecordingResult({ test }: { test: ReturnType<typeof useTestRecording> }) {
  return (
    <div className="test-result" role="status">
      {test.error && <p className="details-warning">{test.error.message}</p>}
      {test.data && !test.isPending && <Found result={test.data} />}
    </div>
  );
}

function Found({ result: { ok, says, tried, clip } }: { result: TestRecording }) {
  return (
    <>
      <p className="test-says" data-ok={ok}>
        <Icon name={ok ? "check" : "warning"} size={16} />
        <span>{visibleText(translateMessage(says))}</span>
      </p>
      {clip !== null && <TestClip id={clip} />}
      {tried.length > 0 && (
        <details className="tried" open={!ok}>
          <summary>{t("Attempted configurations ({{number}})", { number: tried.length })}</summary>
          <ol>
            {tried.map(({ what, ok: worked, why }) => (
              <li key={`${what} ${why}`} data-ok={worked}>
                <Icon name={worked ? "check" : "close"} size={14} />
                <span className="unseen">{worked ? t("Works:") : t("Failed:")} </span>
                <strong>{visibleText(translateMessage(what))}</strong>
                <span>{visibleText(translateMessage(why))}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function TestClip({ id }: { id: string }) {
  const { data } = useClip(id);
  return data === undefined ? null : <ClipTile clip={data} />;
}
