// A game's cover, and the section that chooses it.
import { type BodyOf, type LibraryGame, listClips, type setCover } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, type RefObject, useRef, useState } from "react";
import { useMedia, useMediaFile } from "../../api/media-pass.ts";
import { useClient } from "../../api/session.ts";
import { clipSmallPosterFile } from "../../api/use-clips.ts";
import { coverFile } from "../../api/use-games.ts";
import { t } from "../../language/language.ts";
import { clipTitle } from "../../ui/clips/clip-text.ts";
import { Icon } from "../../ui/icon.tsx";
import { ProgramIcon } from "../../ui/program-icon.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { coverBackgroundIndex, gameInitials } from "./game-text.ts";
import { createCover } from "./scale-picture.ts";

type CoverChange = BodyOf<typeof setCover>;
type Props = {
  game: LibraryGame;
  onCover: (cover: CoverChange) => Promise<unknown>;
  onTrouble: (error: Error) => void;
};

/** Chooses a game's cover: a picture file, the picture of a clip, or none. */
export function CoverSection({ game, onCover, onTrouble }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [choosing, setChoosing] = useState(false);
  const [busy, setBusy] = useState(false);
  const setCoverFrom = async (cover: () => Promise<CoverChange>) => {
    setBusy(true);
    try {
      await onCover(await cover());
    } catch (error) {
      onTrouble(error as Error);
    } finally {
      setBusy(false);
    }
  };
  const setPicture = (file: File) => void setCoverFrom(async () => ({ picture: await createCover(file) }));
  return (
    <section className="cover-section" aria-label={t("Cover")} aria-busy={busy}>
      <Cover game={game} />
      <div className="stack tight">
        <PictureInput input={input} onPicture={setPicture} />
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
            {t("Use a picture from a clip")}
          </Button>
        )}
        {game.cover === "picture" && (
          <Button
            type="button"
            variant="soft"
            color="gray"
            disabled={busy}
            onClick={() => void setCoverFrom(async () => ({ picture: null }))}
          >
            <Icon name="bin" />
            {t("Remove the picture")}
          </Button>
        )}
        {game.cover === "clip" && (
          <p className="small quiet">{t("The cover currently shows the best clip's picture.")}</p>
        )}
      </div>
      {choosing && <ClipChoice game={game.game} onClip={(clip) => void setCoverFrom(async () => ({ clip }))} />}
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
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Cleared, so that a person can choose the same file again.
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
      aria-label={t("Cover picture")}
      onChange={onChange}
    />
  );
}

/** How many clips are offered as covers. */
const offeredClips = 12;

/** Fetches the newest clips of a game whose pictures can become its cover. */
function useCoverClips(game: string) {
  const client = useClient();
  const query = { game, state: "saved", limit: offeredClips } as const;
  return useQuery({
    queryKey: ["clips", "covers", game],
    queryFn: async () => (await client.call(listClips, { query })).clips.filter(({ poster }) => poster),
  });
}

function ClipChoice({ game, onClip }: { game: string; onClip: (clip: string) => void }) {
  const { data, error } = useCoverClips(game);
  const { addressFor } = useMedia();
  if (error) return <p role="alert">{error.message}</p>;
  if (data === undefined) return <p role="status">{t("Loading clips…")}</p>;
  if (data.length === 0) return <p className="small quiet">{t("None of its clips has a picture.")}</p>;
  return (
    <ul className="cover-clips small" aria-label={t("Its clips")}>
      {data.map((clip) => (
        <li key={clip.id}>
          <button type="button" className="bare" onClick={() => onClip(clip.id)}>
            <img src={addressFor(clipSmallPosterFile(clip))} alt="" loading="lazy" decoding="async" />
            <bdi>{visibleLine(clipTitle(clip), 80)}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}

const grounds = ["iris", "sky", "amber", "tomato", "ruby", "gray"];

/** Returns the background colours of a game without a cover. They are always the same for a game. */
const groundOf = (game: LibraryGame) => {
  const colour = grounds[coverBackgroundIndex(game)] ?? "gray";
  return `linear-gradient(160deg, var(--${colour}-4), var(--${colour}-7))`;
};

/** A game's cover, 2:3. A game without one shows its program's icon, or else its initials. */
export function Cover({ game }: { game: LibraryGame }) {
  const initials = (
    <span className="game-initials" aria-hidden="true">
      {gameInitials(game)}
    </span>
  );
  return (
    <span className="game-cover" style={{ background: groundOf(game) }}>
      {game.cover === null ? <ProgramIcon game={game} size={96} instead={initials} /> : initials}
      {game.cover !== null && <Picture key={game.coverVersion} game={game} />}
    </span>
  );
}

/** Without alternative text, because the game's name is beside the picture. */
function Picture({ game }: { game: LibraryGame }) {
  const { src, broken, onError } = useMediaFile(coverFile(game));
  if (broken) return null;
  return <img src={src} alt="" loading="lazy" decoding="async" onError={onError} />;
}
