// Addresses of a clip's files, from the contract; the page's cookie opens them.
import {
  addressOf,
  type Clip,
  type ClipExport,
  getClipExportFile,
  getClipPoster,
  getClipPreview,
  getClipVideo,
} from "@kit/contract";

export const videoAddress = ({ id }: Clip): string => addressOf(getClipVideo, { params: { id } });
export const downloadAddress = ({ id }: Clip): string =>
  addressOf(getClipVideo, { params: { id }, query: { download: true } });
export const posterAddress = ({ id }: Pick<Clip, "id">): string => addressOf(getClipPoster, { params: { id } });
export const previewAddress = ({ id }: Pick<Clip, "id">): string => addressOf(getClipPreview, { params: { id } });
export const exportFileAddress = ({ id }: Pick<ClipExport, "id">): string =>
  addressOf(getClipExportFile, { params: { id } });
