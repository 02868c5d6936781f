// Counts over time as bars, drawn by attributes: the page's policy allows no styles but its own files'.
import { t } from "../../language/language.ts";
import { fullCount, type Span, spansSay } from "../../ui/issues/issue-measures.ts";

const widthOf = (spans: readonly Span[], unit: number) => spans.length * unit;

type BarsProps = { spans: readonly Span[]; height: number; unit: number; className: string };

/** A bar of nothing is a faint line, one of little is still to be seen. */
function Bars({ spans, height, unit, className }: BarsProps) {
  const most = Math.max(1, ...spans.map(({ count }) => count));
  const tallOf = (count: number) => (count === 0 ? 1 : Math.max(3, (count / most) * height));
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
          y={height - tallOf(count)}
          width={unit - 1}
          height={tallOf(count)}
        />
      ))}
    </svg>
  );
}

/** The last day in a line, for a list. */
export function Sparkline({ spans }: { spans: readonly Span[] }) {
  const says = t("Last 24 hours: {{counts}}", { counts: spansSay(spans) });
  return (
    <span className="sparkline" title={says}>
      <Bars spans={spans} height={22} unit={4} className="sparkline-bars" />
      <span className="unseen">{says}</span>
    </span>
  );
}

type ChartProps = { title: string; unit: string; spans: readonly Span[] };

/** Bars with their ends named, and the same as a table for whoever asks. */
export function Chart({ title, unit, spans }: ChartProps) {
  const sum = spans.reduce((total, { count }) => total + count, 0);
  return (
    <figure className="chart">
      <figcaption>
        <span>{title}</span>
        <span className="chart-sum">{fullCount(sum)}</span>
      </figcaption>
      <Bars spans={spans} height={48} unit={10} className="chart-bars" />
      <p className="chart-ends" aria-hidden="true">
        <span>{spans[0]?.says}</span>
        <span>{spans.at(-1)?.says}</span>
      </p>
      <details className="chart-table">
        <summary>
          {t("As a table")}
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
