// Scales a picture down to a JPEG that is small enough to be a cover.
import { coverBytesMax } from "@kit/contract";
import { t } from "../../language/language.ts";

const most = { width: 600, height: 900 };
const qualities = [0.86, 0.75, 0.6, 0.45];

/** Returns the size of the cover for a picture of this size. Smaller pictures are not enlarged. */
export function coverSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, most.width / width, most.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

const jpegOf = (canvas: HTMLCanvasElement, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));

/** Resolves to a JPEG in Base64. Rejects with a message to show to the user. */
export async function createCover(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (picture === undefined) throw new Error(t("The browser cannot read this file as a picture."));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, coverSize(picture.width, picture.height));
  const context = canvas.getContext("2d");
  // White behind the picture: its transparent areas would become black in a JPEG.
  if (context) context.fillStyle = "#fff";
  context?.fillRect(0, 0, canvas.width, canvas.height);
  context?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  for (const quality of qualities) {
    const blob = await jpegOf(canvas, quality);
    if (blob && blob.size <= coverBytesMax) return toBase64(new Uint8Array(await blob.arrayBuffer()));
  }
  throw new Error(t("This picture is too large even after compression. Choose another one."));
}
