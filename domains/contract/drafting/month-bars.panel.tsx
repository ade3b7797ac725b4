import { yuan } from "../../../platform/kernel/fen.ts";
import type { MonthBar } from "../schedule/line.rules.ts";

const HEIGHT = 76;
const WIDTH = 328;
const LEFT = 34;
/** The next round figure above the tallest bar: 1, 2 or 5 times a power of ten. */
function ceiling(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return ([1, 2, 5, 10].find((n) => n * power >= most) ?? 10) * power;
}
const inShort = (fen: number) => (fen >= 1_000_000 ? `${fen / 1_000_000}万` : `${fen / 100}`);

/** Bills by the month they start in: rent, fees and deposit stacked, what is free hatched on top. Small enough to draw by hand. */
export function MonthBars({ months }: { months: readonly MonthBar[] }) {
  const bars = months.slice(0, 36);
  const top = ceiling(Math.max(...bars.map((m) => m.rent + m.fee + m.deposit + m.free)));
  const slot = (WIDTH - LEFT) / Math.max(bars.length, 1);
  const width = Math.min(22, slot * 0.7);
  const every = Math.ceil(bars.length / 8);
  const up = (fen: number) => (fen / top) * HEIGHT;
  return (
    <>
      <div className="live__sec">
        <h3>按计费期</h3>
        <div className="live__legend fs-12 sub">
          <span>
            <i className="dot mb--rent" />
            租金
          </span>
          <span>
            <i className="dot mb--fee" />
            费用
          </span>
          <span>
            <i className="dot mb--deposit" />
            押金
          </span>
          <span>
            <i className="dot mb--free" />
            免租
          </span>
        </div>
      </div>
      <svg
        className="mb"
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 24}`}
        role="img"
        aria-label={`各计费期的账单：${bars.map((m) => `${m.month} ${yuan(m.rent + m.fee + m.deposit)}`).join("，")}`}
      >
        <defs>
          <pattern
            id="mb-free"
            width="4"
            height="4"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <line x1="0" y1="0" x2="0" y2="4" className="mb__hatch" />
          </pattern>
        </defs>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line
              className="mb__grid"
              x1={LEFT}
              x2={WIDTH}
              y1={HEIGHT - share * HEIGHT + 6}
              y2={HEIGHT - share * HEIGHT + 6}
            />
            <text className="mb__t" x={LEFT - 4} y={HEIGHT - share * HEIGHT + 10} textAnchor="end">
              {inShort(top * share)}
            </text>
          </g>
        ))}
        {bars.map((m, i) => {
          const x = LEFT + slot * i + (slot - width) / 2;
          let y = HEIGHT + 6;
          const rect = (fen: number, look: string) => {
            if (fen <= 0) return null;
            y -= up(fen);
            return <rect className={look} x={x} y={y} width={width} height={up(fen)} />;
          };
          return (
            <g key={m.month}>
              <title>{`${m.month}：租金 ${yuan(m.rent)}，费用 ${yuan(m.fee)}，押金 ${yuan(m.deposit)}${m.free ? `，免租 ${yuan(m.free)}` : ""}`}</title>
              {rect(m.rent, "mb--rent")}
              {rect(m.fee, "mb--fee")}
              {rect(m.deposit, "mb--deposit")}
              {rect(m.free, "mb--free")}
              {i % every === 0 && (
                <text className="mb__t" x={x + width / 2} y={HEIGHT + 20} textAnchor="middle">
                  {i === 0 || m.month.endsWith("-01") ? m.month.slice(2) : m.month.slice(5)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      {months.length > bars.length && <p className="dim live__note">仅显示前 36 个月</p>}
    </>
  );
}
