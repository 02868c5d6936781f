// The result of a test recording: its message, the configurations that were tried, and the clip.
import { useClip } from "../../api/use-clips.ts";
import type { useTestRecording } from "../../api/use-recorder.ts";
import { t } from "../../language/language.ts";
import { ClipTile } from "../clips/clip-tile.tsx";
import { Attempts, TestResult } from "../test-result.tsx";

export function TestRecordingResult({ test }: { test: ReturnType<typeof useTestRecording> }) {
  const { ok = true, tried = [], clip = null } = test.data ?? {};
  return (
    <TestResult test={test}>
      {clip !== null && <TestClip id={clip} />}
      {tried.length > 0 && (
        <details open={!ok}>
          <summary>{t("Attempted configurations ({{number}})", { number: tried.length })}</summary>
          <Attempts attempts={tried} />
        </details>
      )}
    </TestResult>
  );
}

function TestClip({ id }: { id: string }) {
  const { data } = useClip(id);
  return data === undefined ? null : <ClipTile clip={data} />;
}
