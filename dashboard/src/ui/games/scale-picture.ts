// A picture a person chose, made small enough for a cover: what leaves the page is a JPEG that fits.
import { coverBytesMax } from "@kit/contract";
import { t } from "../../language/language.ts";

const most = { width: 600, height: 900 };
const qualities = [0.86, 0.75, 0.6, 0.45];

/** As large as it may be, never larger than it is. */
export function sizeWithin(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, most.width / width, most.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

export function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

const jpegOf = (canvas: HTMLCanvasElement, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));

/** Base64 of a JPEG. Rejects with a sentence for whoever chose the file. */
export async function coverFrom(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (picture === undefined) throw new Error(t("This file is no picture that the browser can read."));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, sizeWithin(picture.width, picture.height));
  const context = canvas.getContext("2d");
  // What is transparent would be black in a JPEG.
  if (context) context.fillStyle = "#fff";
  context?.fillRect(0, 0, canvas.width, canvas.height);
  context?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  for (const quality of qualities) {
    const blob = await jpegOf(canvas, quality);
    if (blob && blob.size <= coverBytesMax) return base64Of(new Uint8Array(await blob.arrayBuffer()));
  }
  throw new Error(t("This picture cannot be made small enough. Take another one."));
}
