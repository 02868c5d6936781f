// The colours of every video and picture that Kit makes. Left to itself, ffmpeg turns RGB into YUV by BT.601 and writes no tag, and
// players then show other colours.

/**
 * Returns the filters that scale a picture, convert it from RGB or from what its source is tagged with, and name its colours.
 * ffmpeg reads a source without tags as BT.601, which is how it makes such a source. Newer versions of ffmpeg take the tags from the
 * filters, older ones from `videoTags`.
 */
export const videoFilters = (scale: string, format: VideoFormat = "yuv420p"): string =>
  `scale=${scale}:out_color_matrix=bt709:out_range=tv,${namedFormat(format)}`;

/** Chroma at half size, in three planes or in two. */
export type VideoFormat = "yuv420p" | "nv12";

/** Returns the filters that only name the colours. */
export const namedFormat = (format: VideoFormat): string =>
  `format=${format},setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709`;

/** Arguments of the encoder. */
export const videoTags: readonly string[] = [
  ...["-color_range", "tv", "-colorspace", "bt709"],
  ...["-color_primaries", "bt709", "-color_trc", "bt709"],
];

/** A JPEG has no tags: it is BT.601 in full range. */
export const jpegFilters = (scale: string): string =>
  `scale=${scale}:out_color_matrix=bt601:out_range=pc,format=yuvj420p`;

/** A WebP has no tags either: it is BT.601 in limited range. */
export const webpFilters = (scale: string): string =>
  `scale=${scale}:out_color_matrix=bt601:out_range=tv,format=yuv420p`;
