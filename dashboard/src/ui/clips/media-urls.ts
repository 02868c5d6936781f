// The files of a clip, each with the API operation that returns it.
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

export const clipVideoFile = ({ id }: Id): LauncherFile => ({ operation: getClipVideo, params: { id } });
export const clipDownloadFile = ({ id }: Id): LauncherFile => ({ ...clipVideoFile({ id }), query: { download: true } });
export const clipPosterFile = ({ id }: Id): LauncherFile => ({ operation: getClipPoster, params: { id } });
/** A smaller version of the poster, for lists of many clips. */
export const clipSmallPosterFile = ({ id }: Id): LauncherFile => ({
  ...clipPosterFile({ id }),
  query: { small: true },
});
export const clipPreviewFile = ({ id }: Id): LauncherFile => ({ operation: getClipPreview, params: { id } });
export const clipExportFile = ({ id }: Pick<ClipExport, "id">): LauncherFile => ({
  operation: getClipExportFile,
  params: { id },
});
