// What a person does with a clip: pin, rename, delete, take back, remove for good.
import { type BodyOf, type Clip, changeClip, deleteClip, restoreClip } from "@kit/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../session/session-context.ts";

export type ClipChange = BodyOf<typeof changeClip>;

export function useClipActions() {
  const client = useClient();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ["clips"] });
  const change = useMutation({
    mutationFn: ({ id, ...body }: ClipChange & { id: string }) => client.call(changeClip, { params: { id }, body }),
    onSuccess: (clip: Clip) => queryClient.setQueryData(["clips", "one", clip.id], clip),
    onSettled,
  });
  const discard = useMutation({
    mutationFn: ({ id, forever = false }: { id: string; forever?: boolean }) =>
      client.call(deleteClip, { params: { id }, query: forever ? { forever } : {} }),
    onSettled,
  });
  const restore = useMutation({
    mutationFn: (id: string) => client.call(restoreClip, { params: { id } }),
    onSettled,
  });
  return { change, discard, restore };
}
