// Where there is nothing to show: what to do about it.
import { Button, Heading, Text } from "@radix-ui/themes";
import { type GalleryFilter, isNarrowed } from "../../api/clip-filter.ts";
import { useRecorder, useTestRecording } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { recorderAddress } from "../../ui/address.ts";
import { fireCommand, testWords } from "../../ui/clips/clip-words.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import mark from "../../ui/mark.svg";
import { TestResult } from "../../ui/recorder/test-recording.tsx";
import { visibleText } from "../../ui/visible-text.ts";

export function NoClips() {
  const state = useRecorder().data?.state;
  const test = useTestRecording();
  const works = state?.state !== "broken" && state?.state !== "off";
  return (
    <section className="empty" aria-labelledby="no-clips">
      <img src={mark} width="56" height="56" alt="" />
      <Heading as="h2" size="5" weight="medium" id="no-clips">
        {t("No clips yet")}
      </Heading>
      <Text as="p" color="gray">
        {works
          ? t(
              "When a game names a moment, its clip is here a few seconds later: what was on the screen before and after.",
            )
          : t("Nothing is recorded right now, so a moment a game names becomes a marker without video.")}
      </Text>
      {!works && state && (
        <p className="empty-trouble">
          {visibleText(translateMessage(state.detail))} <a href={recorderAddress}>{t("To the recorder")}</a>
        </p>
      )}
      <Button size="3" disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? testWords.busy : testWords.ask}
      </Button>
      <TestResult test={test} />
      <Text as="p" color="gray">
        {t("Or name a moment yourself, from a terminal:")}
      </Text>
      <CommandLine command={fireCommand} />
    </section>
  );
}

/** The bin is empty, or what is sought is not there. */
export function NothingHere({ filter, onClear }: { filter: GalleryFilter; onClear: () => void }) {
  const narrowed = isNarrowed(filter);
  return (
    <section className="empty" aria-labelledby="nothing-here">
      <Heading as="h2" size="4" weight="medium" id="nothing-here">
        {narrowed ? t("No clip matches these filters") : t("The bin is empty")}
      </Heading>
      <Text as="p" color="gray">
        {narrowed
          ? t("What is recorded and fits appears here by itself.")
          : t("What you delete lies here for 30 days, unless its room is needed.")}
      </Text>
      <Button variant="soft" onClick={onClear}>
        {t("Show all clips")}
      </Button>
    </section>
  );
}
