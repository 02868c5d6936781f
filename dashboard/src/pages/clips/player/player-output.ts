// What a person takes out of the player in one step: the clip's file on the clipboard, or one frame as a picture.
import { attachmentName, type Clip, copyClipFiles, getClipFrame } from "@kit/contract";
import { useMutation } from "@tanstack/react-query";
import { useClient } from "../../../api/session.ts";
import { useRecorder } from "../../../api/use-recorder.ts";
import { t } from "../../../language/language.ts";
import { isPlayable, isSavedVideo } from "../../../ui/clips/clip-text.ts";
import type { Playback } from "../../../ui/player/use-playback.ts";
import type { ClipCommands } from "../use-clip-commands.ts";

/** Copies files to the clipboard of the launcher's computer. `isOffered` is false if that computer has no desktop session. */
export function useCopyFiles({ say }: Pick<ClipCommands, "say">) {
  const client = useClient();
  const isOffered = useRecorder().data?.canCopyFiles === true;
  const copy = useMutation({
    mutationFn: (clips: readonly Clip[]) => client.call(copyClipFiles, { body: { clips: clips.map(({ id }) => id) } }),
    onSuccess(_, clips) {
      const copied = t("{{count}} files copied. Paste them into a chat, an email or a folder.", {
        count: clips.length,
        defaultValue_one: "File copied. Paste it into a chat, an email or a folder.",
      });
      const hasMicrophone = clips.some(({ microphone }) => microphone);
      say(hasMicrophone ? `${copied} ${t("Your microphone is included.")}` : copied);
    },
  });
  return { isOffered, copy };
}

function saveAs(picture: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(picture);
  link.download = name;
  link.click();
  // The browser has begun the download when the click returns.
  URL.revokeObjectURL(link.href);
}

/** Saves the frame that the video shows as a download of the browser. */
function useSaveFrame(clip: Clip | undefined, { video }: Playback, { say }: Pick<ClipCommands, "say">) {
  const client = useClient();
  return useMutation({
    async mutationFn() {
      const at = video.current?.currentTime;
      if (clip === undefined || at === undefined) return;
      const reply = await client.open(getClipFrame, { params: { id: clip.id }, query: { at: Number(at.toFixed(4)) } });
      const name = attachmentName(reply.headers.get("content-disposition"), "frame.png");
      saveAs(await reply.blob(), name);
      say(t("Saved {{name}} to your browser's downloads.", { name }));
    },
  });
}

export type PlayerOutput = ReturnType<typeof usePlayerOutput>;

export function usePlayerOutput(clip: Clip | undefined, playback: Playback, commands: ClipCommands) {
  const { isOffered, copy } = useCopyFiles(commands);
  const frame = useSaveFrame(clip, playback, commands);
  const canCopy = isOffered && clip !== undefined && isPlayable(clip) && clip.deletedAt === null;
  const canSaveFrame = clip !== undefined && isSavedVideo(clip) && clip.deletedAt === null;
  return {
    canCopy,
    canSaveFrame,
    copyError: copy.error,
    frameError: frame.error,
    // The buttons are never disabled: a disabled button loses the focus, and with it the keys of the player.
    copyFile(): void {
      if (canCopy && !copy.isPending) copy.mutate([clip]);
    },
    saveFrame(): void {
      if (canSaveFrame && !frame.isPending) frame.mutate();
    },
  };
}
