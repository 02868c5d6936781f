// Copies of clips for a place they are put by hand: asked for, followed while they are made, ended.
import { type BodyOf, type ClipExport, cancelClipExport, exportClip, listClipExports } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../../api/session-context.ts";

/** While one is made its progress is shown. */
const followMs = 500;

const key = ["clip-exports"];

export const isMoving = ({ state }: ClipExport): boolean => state === "waiting" || state === "encoding";

/** All copies since the launcher began; of one clip where it is named. */
export function useExports(clip?: string) {
  const client = useClient();
  return useQuery({
    queryKey: [...key, clip ?? null],
    queryFn: async () => (await client.call(listClipExports, { query: clip === undefined ? {} : { clip } })).exports,
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? followMs : false),
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
