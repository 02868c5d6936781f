// What an export says of itself.

type Part = { readonly name: string; readonly says: string };

export function readmeOf(
  parts: readonly Part[],
  version: string,
  at: Date,
  game: string | null | undefined,
  withFiles: boolean,
): string {
  const of = game === undefined ? "Everything Kit keeps" : `All that Kit keeps of ${game ?? "what belongs to no game"}`;
  const width = Math.max(...parts.map(({ name }) => name.length)) + 2;
  return [
    `${of}, exported by Kit ${version} on ${at.toISOString()}.`,
    "",
    ...parts.map(({ name, says }) => name.padEnd(width) + says),
    ...(withFiles ? [`${"clips/".padEnd(width)}The clips' files, named as clips.jsonl names them`] : []),
    "",
    "Files that end in .jsonl hold one JSON document a line; times are ISO 8601, UTC. Events, posts, sessions and clips have the",
    "members that docs/protocol.md names. What was entrusted to Kit, such as passwords and keys of servers, is not in here.",
    ...(withFiles
      ? ["A clip whose file was gone is named in missing-files.txt."]
      : ["The clips' files were not asked for."]),
    "",
  ].join("\n");
}
