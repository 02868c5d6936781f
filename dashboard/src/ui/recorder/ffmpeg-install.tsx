// Installs ffmpeg after a yes, shows the progress, and says what came of it. Shown where Kit finds no ffmpeg.
import { Button } from "@radix-ui/themes";
import { useState } from "react";
import { useFfmpegInstall, useInstallFfmpeg } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { ConfirmDialog } from "../dialog.tsx";
import { ErrorText } from "../error-text.tsx";
import { Icon } from "../icon.tsx";
import { visibleText } from "../visible-text.ts";

export function FfmpegInstallPart() {
  const { data, error } = useFfmpegInstall();
  const install = useInstallFfmpeg();
  const [isAsking, setAsking] = useState(false);
  if (data === undefined) return <ErrorText error={error} />;
  const { state, command, offer, says, progress } = data;
  const isRunning = state === "running" || install.isPending;
  return (
    <div className="stack">
      {says !== null && <p role="status">{visibleText(translateMessage(says))}</p>}
      {command === null && <p>{visibleText(translateMessage(offer))}</p>}
      {(isRunning || state === "failed") && progress !== "" && <p className="quiet">{visibleText(progress)}</p>}
      {command !== null && (
        <div>
          <Button variant="soft" disabled={isRunning} onClick={() => setAsking(true)}>
            <Icon name="download" size={14} />
            {isRunning ? t("Installing ffmpeg…") : t("Install ffmpeg…")}
          </Button>
        </div>
      )}
      <ErrorText error={install.error} />
      {isAsking && (
        <ConfirmDialog
          title={t("Install ffmpeg?")}
          confirmLabel={t("Install")}
          color="iris"
          onConfirm={() => install.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{visibleText(translateMessage(offer))}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
