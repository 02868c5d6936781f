// Queries and mutations for clip exports.
import { type BodyOf, type ClipExport, cancelClipExport, exportClip, listClipExports } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../../../api/session-context.ts";

/** Polling interval while an export is in progress. */
const followMs = 500;

const key = ["clip-exports"];

export const isExportRunning = ({ state }: ClipExport): boolean => state === "waiting" || state === "encoding";

/** Fetches all exports since the launcher started, or those of one clip. */
export function useExports(clip?: string) {
  const client = useClient();
  return useQuery({
    queryKey: [...key, clip ?? null],
    queryFn: async () => (await client.call(listClipExports, { query: clip === undefined ? {} : { clip } })).exports,
    refetchInterval: ({ state }) => (state.data?.some(isExportRunning) ? followMs : false),
  });
}

export function useExportCalls() {
  const client = useClient();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: key });
  const ask = useMutation({
    mutationFn: (body: BodyOf<typeof exportClip>) => client.call(exportClip, { body }),
    onSettled,
  });
  const end = useMutation({
    mutationFn: (id: string) => client.call(cancelClipExport, { params: { id } }),
    onSettled,
  });
  return { ask, end };
}
