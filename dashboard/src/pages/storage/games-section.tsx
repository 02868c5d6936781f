// Stored data by game, with buttons to export and wipe.
import type { DiskUsage } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { unsorted } from "../../api/address-filters.ts";
import { t } from "../../language/language.ts";
import { clipsAddress } from "../../ui/address.ts";
import { formatBytes, formatNumber } from "../../ui/format.ts";
import { gameName } from "../../ui/names.ts";
import { PageSection } from "../../ui/section.tsx";

type Row = DiskUsage["games"][number];
type Props = {
  games: readonly Row[];
  /** The games that will be wiped soon. */
  wiping: readonly string[];
  onExport: (game: string | null) => void;
  onWipe: (game: string) => void;
};

const columns = () =>
  [
    { member: "clips", head: t("Clips") },
    { member: "clipBytes", head: t("Clip files") },
    { member: "events", head: t("Events") },
    { member: "issues", head: t("Issues") },
    { member: "posts", head: t("Posts") },
    { member: "sessions", head: t("Sessions") },
  ] as const;

export function GamesSection({ games, wiping, onExport, onWipe }: Props) {
  return (
    <PageSection title={t("By game")}>
      {games.length === 0 ? (
        <p className="quiet">{t("Nothing is stored yet. Data from games appears here.")}</p>
      ) : (
        <table className="games-table numbers" aria-label={t("By game")}>
          <thead>
            <tr className="small quiet">
              <th scope="col">{t("Game")}</th>
              {columns().map(({ member, head }) => (
                <th key={member} scope="col">
                  {head}
                </th>
              ))}
              <th scope="col">
                <span className="unseen">{t("Actions")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {games.map((row) => (
              <GameRow key={row.game ?? ""} row={row} wiping={wiping} onExport={onExport} onWipe={onWipe} />
            ))}
          </tbody>
        </table>
      )}
    </PageSection>
  );
}

type RowProps = Omit<Props, "games"> & { row: Row };

function GameRow({ row, wiping, onExport, onWipe }: RowProps) {
  const name = gameName(row.game);
  const sent = row.game ?? unsorted;
  return (
    <tr>
      <th scope="row">
        <a href={clipsAddress(undefined, `${new URLSearchParams({ game: sent })}`)}>
          <bdi>{name}</bdi>
        </a>
      </th>
      {columns().map(({ member, head }) => (
        <td key={member} data-label={head}>
          {member === "clipBytes" ? formatBytes(row.clipBytes) : formatNumber(row[member])}
        </td>
      ))}
      <td>
        <span className="cluster tight">
          <Button
            size="1"
            variant="soft"
            color="gray"
            aria-label={t("Export {{game}}", { game: name })}
            onClick={() => onExport(row.game)}
          >
            {t("Export")}
          </Button>
          <Button
            size="1"
            variant="soft"
            color="ruby"
            data-wipe={sent}
            aria-label={t("Wipe {{game}}", { game: name })}
            disabled={wiping.includes(sent)}
            onClick={() => onWipe(sent)}
          >
            {t("Wipe")}
          </Button>
        </span>
      </td>
    </tr>
  );
}
