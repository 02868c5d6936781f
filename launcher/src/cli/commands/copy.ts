// `kit clips copy ID…`: puts the files of clips on the clipboard.
import { copyClipFiles } from "@kit/contract";
import { answer, command, parameter } from "../command.ts";

export const copyCommand = command("copy", "Put the files of clips on the clipboard, to paste them elsewhere", {
  parameters: [parameter("<id...>", "the ids of the clips, from `kit clips`")],
  async run({ client }, clips) {
    await client.call(copyClipFiles, { body: { clips: [...clips] } });
    return answer({ clips }, clips.length === 1 ? "Copied the file." : `Copied ${clips.length} files.`);
  },
});
