// The name of a download in its Content-Disposition header.

/** Returns the header. Without `filename*`, old programs would show other letters than ASCII as garbage. */
export function attachmentHeader(name: string): string {
  const plain = name
    .replace(/[^ -~]+|["\\]/g, "")
    .replace(/ +/g, " ")
    .replace(/ (?=\.[^. ]+$)/, "")
    .trim();
  const header = `attachment; filename="${plain}"`;
  return plain === name ? header : `${header}; filename*=UTF-8''${encode(name)}`;
}

/** `encodeURIComponent` leaves characters as they are that have a meaning there. */
const encode = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Returns the name in the header, or else `otherwise`. */
export function attachmentName(header: string | null, otherwise: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;\s]+)/.exec(header ?? "") ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/.exec(header ?? "")?.[1] ?? otherwise;
}
