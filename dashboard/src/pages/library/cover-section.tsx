// A game's cover: a picture from this machine, the picture of one of its clips, or none of one's own.
import type { BodyOf, LibraryGame, setCover } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type ChangeEvent, type RefObject, useRef, useState } from "react";
import { useMedia } from "../../api/media-pass.tsx";
import { t } from "../../language/language.ts";
import { posterOf } from "../../ui/clips/media-urls.ts";
import { coverFrom } from "../../ui/games/scale-picture.ts";
import { useCoverClips } from "../../ui/games/use-library.ts";
import { Icon } from "../../ui/icon.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { Cover } from "./cover.tsx";

type Given = BodyOf<typeof setCover>;
type Props = {
  game: LibraryGame;
  onCover: (cover: Given) => Promise<unknown>;
  onTrouble: (error: Error) => void;
};

export function CoverSection({ game, onCover, onTrouble }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [choosing, setChoosing] = useState(false);
  const [busy, setBusy] = useState(false);
  const give = async (cover: () => Promise<Given>) => {
    setBusy(true);
    try {
      await onCover(await cover());
    } catch (error) {
      onTrouble(error as Error);
    } finally {
      setBusy(false);
    }
  };
  const take = (file: File) => void give(async () => ({ picture: await coverFrom(file) }));
  return (
    <section className="cover-section" aria-label={t("Cover")} aria-busy={busy}>
      <Cover game={game} />
      <div className="cover-ways">
        <PictureInput input={input} onPicture={take} />
        <Button type="button" variant="soft" disabled={busy} onClick={() => input.current?.click()}>
          <Icon name="picture" />
          {t("Choose a picture")}
        </Button>
        {game.clips > 0 && (
          <Button
            type="button"
            variant="soft"
            color="gray"
            aria-expanded={choosing}
            onClick={() => setChoosing(!choosing)}
          >
            <Icon name="film" />
            {t("Take one of its clips")}
          </Button>
        )}
        {game.cover === "picture" && (
          <Button
            type="button"
            variant="soft"
            color="gray"
            disabled={busy}
            onClick={() => void give(async () => ({ picture: null }))}
          >
            <Icon name="bin" />
            {t("Take it away")}
          </Button>
        )}
        {game.cover === "clip" && <p className="game-hint">{t("For now it is the picture of its best clip.")}</p>}
      </div>
      {choosing && <ClipChoice game={game.game} onClip={(clip) => void give(async () => ({ clip }))} />}
    </section>
  );
}

function PictureInput({
  input,
  onPicture,
}: {
  input: RefObject<HTMLInputElement | null>;
  onPicture: (file: File) => void;
}) {
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // The same file once more is a change, too.
    target.value = "";
    if (file) onPicture(file);
  };
  return (
    <input
      ref={input}
      className="unseen"
      type="file"
      accept="image/*"
      tabIndex={-1}
      aria-label={t("A picture for the cover")}
      onChange={take}
    />
  );
}

function ClipChoice({ game, onClip }: { game: string; onClip: (clip: string) => void }) {
  const { data, error } = useCoverClips(game);
  const { addressFor } = useMedia();
  if (error) return <p role="alert">{error.message}</p>;
  if (data === undefined) return <p role="status">{t("Looking for its clips…")}</p>;
  if (data.length === 0) return <p className="game-hint">{t("None of its clips has a picture.")}</p>;
  return (
    <ul className="cover-clips" aria-label={t("Its clips")}>
      {data.map((clip) => (
        <li key={clip.id}>
          <button type="button" onClick={() => onClip(clip.id)}>
            <img src={addressFor(posterOf(clip))} alt="" loading="lazy" decoding="async" />
            <bdi>{visibleLine(clip.title, 80)}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}
