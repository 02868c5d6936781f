// Bar charts of how many reports came when. SVG attributes set all sizes, because the content security policy forbids
// inline styles.
import { t } from "../../language/language.ts";
import { formatNumber } from "../../ui/format.ts";
import { type CountBar, spokenBars } from "./issue-text.ts";

const widthOf = (spans: readonly CountBar[], unit: number) => spans.length * unit;

type BarsProps = { spans: readonly CountBar[]; height: number; unit: number; className: string };

/** Draws the bars. A count of zero is a faint line; any other count is tall enough to be seen. */
function Bars({ spans, height, unit, className }: BarsProps) {
  const most = Math.max(1, ...spans.map(({ count }) => count));
  const barHeight = (count: number) => (count === 0 ? 1 : Math.max(3, (count / most) * height));
  return (
    <svg
      className={className}
      viewBox={`0 0 ${widthOf(spans, unit)} ${height}`}
      width={widthOf(spans, unit)}
      height={height}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {spans.map(({ count, atMs }, index) => (
        <rect
          key={atMs}
          data-none={count === 0}
          x={index * unit}
          y={height - barHeight(count)}
          width={unit - 1}
          height={barHeight(count)}
        />
      ))}
    </svg>
  );
}

/** A chart of the last 24 hours that fits into a row of the list. */
export function Sparkline({ spans }: { spans: readonly CountBar[] }) {
  const says = t("Last 24 hours: {{counts}}", { counts: spokenBars(spans) });
  return (
    <span className="sparkline" title={says}>
      <Bars spans={spans} height={22} unit={4} className="sparkline-bars" />
      <span className="unseen">{says}</span>
    </span>
  );
}

type ChartProps = { title: string; unit: string; spans: readonly CountBar[] };

/** A chart with labels at both ends, and its counts again as a table. */
export function Chart({ title, unit, spans }: ChartProps) {
  const sum = spans.reduce((total, { count }) => total + count, 0);
  return (
    <figure className="stack tight">
      <figcaption className="spread small">
        <span>{title}</span>
        <strong className="numbers">{formatNumber(sum)}</strong>
      </figcaption>
      <Bars spans={spans} height={48} unit={10} className="chart-bars" />
      <p className="spread small quiet" aria-hidden="true">
        <span>{spans[0]?.says}</span>
        <span>{spans.at(-1)?.says}</span>
      </p>
      <details className="small quiet chart-table numbers">
        <summary>
          {t("Show as a table")}
          <span className="unseen">: {title}</span>
        </summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              <th scope="col">{t("Reports")}</th>
            </tr>
          </thead>
          <tbody>
            {spans.map(({ atMs, says, count }) => (
              <tr key={atMs}>
                <th scope="row">{says}</th>
                <td>{count.toLocaleString("en-US")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
