// A clip's files, from the contract.
import {
  type Clip,
  type ClipExport,
  getClipExportFile,
  getClipPoster,
  getClipPreview,
  getClipVideo,
} from "@kit/contract";
import type { LauncherFile } from "../../api/media-pass.tsx";

type Id = Pick<Clip, "id">;

export const videoOf = ({ id }: Id): LauncherFile => ({ operation: getClipVideo, params: { id } });
export const savedVideoOf = ({ id }: Id): LauncherFile => ({ ...videoOf({ id }), query: { download: true } });
export const posterOf = ({ id }: Id): LauncherFile => ({ operation: getClipPoster, params: { id } });
export const previewOf = ({ id }: Id): LauncherFile => ({ operation: getClipPreview, params: { id } });
export const copyOf = ({ id }: Pick<ClipExport, "id">): LauncherFile => ({
  operation: getClipExportFile,
  params: { id },
});
