// Says why the gallery is empty and what to do.
import { Button } from "@radix-ui/themes";
import { useRecorder, useTestRecording } from "../../../api/use-recorder.ts";
import { t, translateMessage } from "../../../language/language.ts";
import { recorderAddress } from "../../../ui/address.ts";
import { exampleClipCommand, testRecordingLabels } from "../../../ui/clips/clip-text.ts";
import { CommandLine } from "../../../ui/command-line.tsx";
import { EmptyState, NoMatches } from "../../../ui/empty.tsx";
import { TestRecordingResult } from "../../../ui/recorder/test-recording.tsx";
import { visibleText } from "../../../ui/visible-text.ts";
import { type GalleryFilter, isGalleryFiltered } from "../clip-filter.ts";

export function NoClips() {
  const state = useRecorder().data?.state;
  const test = useTestRecording();
  const works = state?.state !== "broken" && state?.state !== "off";
  return (
    <EmptyState title={t("No clips yet")} isNew>
      <p>
        {works
          ? t(
              "A few seconds after a game triggers a moment, its clip appears here. It shows the screen before and after the moment.",
            )
          : t("Kit is not recording, so moments become markers without video.")}
      </p>
      {!works && state && (
        <p className="note">
          {visibleText(translateMessage(state.detail))} <a href={recorderAddress}>{t("Open the recorder")}</a>
        </p>
      )}
      <Button size="3" disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? testRecordingLabels.busy : testRecordingLabels.ask}
      </Button>
      <TestRecordingResult test={test} />
      <p>{t("Or send a moment from a terminal:")}</p>
      <CommandLine command={exampleClipCommand} />
    </EmptyState>
  );
}

/** Shown if the trash is empty or no clip matches the filter. */
export function NoMatchingClips({ filter, onClear }: { filter: GalleryFilter; onClear: () => void }) {
  const narrowed = isGalleryFiltered(filter);
  return (
    <NoMatches
      title={narrowed ? t("No clip matches these filters") : t("The trash is empty")}
      hint={
        narrowed
          ? t("Matching clips appear here automatically.")
          : t("Deleted clips stay here for 30 days, unless Kit needs the space.")
      }
      clearLabel={t("Show all clips")}
      onClear={onClear}
    />
  );
}
