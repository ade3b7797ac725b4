import { useRef, useState } from "react";
import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { dueOn } from "../schedule/slot.rules.ts";
import type { Line, Plan, PlannedBill, MonthBar } from "../schedule/line.rules.ts";
import { subjectOf } from "../preview/preview.rules.ts";
import type { Draft } from "./draft.form.tsx";
import { nameOfField, saidOf } from "./drafting.rules.ts";
import "./live.css";

const minutes = () => new Date().toTimeString().slice(0, 5);

/** What the contract would cost, worked out in the browser with every change. While a field is wrong the last good figures stay, greyed. */
export function LivePanel({ draft }: { draft: Draft }) {
  const { live, form, data, cards } = draft;
  const last = useRef<{ plan: Plan; at: string }>(undefined);
  if (live.plan) last.current = { plan: live.plan, at: minutes() };
  const [folded, setFolded] = useState(true);
  const stale = live.plan === undefined;
  const shown = last.current;
  const blocking = live.errors.find((e) => !/^(partyId|occupants)/.test(e.field));
  if (!shown)
    return (
      <aside className="live live--none" aria-label="实时账单">
        <h2>实时账单</h2>
        <p className="dim">选定房间、租期和租金后，这里实时显示签署会生成的全部账单</p>
      </aside>
    );
  const { plan, at } = shown;
  const { totals } = plan;
  const lowest = form.rooms.map((r) => cards.get(r.roomId)?.lowestPrice ?? null);
  const floor =
    lowest.length && lowest.every((l) => l !== null) ? lowest.reduce<Fen>((s, l) => s + l!, 0) : null;
  return (
    <aside
      className={`live ${stale ? "live--stale" : ""} ${folded ? "live--folded" : ""}`}
      aria-label="实时账单"
    >
      <div className="live__h row between">
        <h2>实时账单</h2>
        <span className="row gap-2 fs-12 dim">
          <Icon name={stale ? "warn" : "check"} size={12} />
          {stale
            ? `${blocking ? nameOfField(blocking.field) : "条款"}有误，以下为 ${at} 的结果`
            : "已按当前条款更新"}
        </span>
        <button
          type="button"
          className="linkish live__fold"
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          {folded ? "展开" : "收起"}
        </button>
      </div>
      <div className="live__due row baseline gap-0 between">
        <span className="sub">签约应收</span>
        <b>{yuan(totals.atSigning)}</b>
      </div>
      <div className="live__more">
        <AtSigning plan={plan} form={form} />
        <div className="live__kpi">
          <div>
            <span>合同总额</span>
            <b>{yuan(totals.contractTotal)}</b>
          </div>
          <div>
            <span>折后月租</span>
            <b>{totals.netMonthlyRent === null ? "—" : yuan(totals.netMonthlyRent)}</b>
            {floor !== null && totals.netMonthlyRent !== null && (
              <Against net={totals.netMonthlyRent} floor={floor} />
            )}
          </div>
        </div>
        <MonthBars months={totals.months} />
        <Bills plan={plan} today={data?.today ?? ""} firstDueDays={form.due.firstDueDays ?? 0} />
      </div>
    </aside>
  );
}

const Against = ({ net, floor }: { net: Fen; floor: Fen }) =>
  net >= floor ? (
    <em className="good">高于底价 {yuan(net - floor)}</em>
  ) : (
    <em className="neg">低于底价 {yuan(floor - net)}</em>
  );

/** What is due with the signature, line by line; a line opens its explanation. */
function AtSigning({ plan, form }: { plan: Plan; form: Draft["form"] }) {
  const lines = plan.bills.filter((b) => b.onSigning).flatMap((b) => b.lines);
  const groups = [
    ...Map.groupBy(lines, (l) =>
      l.kind === "deposit" && l.item === null ? "押金" : subjectOf(l, form.fees),
    ),
  ];
  const [open, setOpen] = useState("租金");
  return (
    <>
      <dl className="live__sum">
        {groups.map(([name, all]) => (
          <div key={name}>
            <dt>
              {all[0]!.kind === "rent" || all[0]!.kind === "fee" ? `首期${name}` : name}
              {all[0]!.kind === "rent" && (
                <span>
                  {all[0]!.from} ~ {all.at(-1)!.to}
                </span>
              )}
            </dt>
            <dd>
              <button
                type="button"
                className="linkish"
                aria-expanded={open === name}
                onClick={() => setOpen(open === name ? "" : name)}
              >
                {yuan(all.reduce((s, l) => s + l.amount, 0))}
              </button>
            </dd>
          </div>
        ))}
      </dl>
      {groups.map(([name, all]) => name === open && <Why key={name} name={name} lines={all} />)}
    </>
  );
}

/** What can be read here; the preview has all lines. */
const MOST_SAID = 30;

function Why({ name, lines }: { name: string; lines: readonly Line[] }) {
  const { rows, note } = saidOf(lines);
  return (
    <div className="live__why">
      <b>{name}</b>
      {note && <em>{note}</em>}
      {rows.slice(0, MOST_SAID).map(({ key, text, times }) => (
        <p key={key}>
          {text}
          {times > 1 && `（${times} 项）`}
        </p>
      ))}
      {rows.length > MOST_SAID && <p>另有 {rows.length - MOST_SAID} 项，见“账单预览”</p>}
    </div>
  );
}

function Bills({ plan, today, firstDueDays }: { plan: Plan; today: Day; firstDueDays: number }) {
  const later = plan.bills.filter((b) => !b.onSigning);
  const next = new Set(later.slice(0, 3).map((b) => b.key));
  const sum = plan.totals.contractTotal + plan.totals.deposit;
  const due = (b: PlannedBill) =>
    b.onSigning || dueOn(b, today, firstDueDays) !== b.dueRuleDate ? "签约当日" : b.dueRuleDate;
  return (
    <>
      <div className="live__sec row between">
        <h3>账单 {plan.bills.length} 张</h3>
        <span className="fs-12 dim">最近三期加粗显示</span>
      </div>
      <table className="live__bills">
        <tbody>
          {plan.bills.map((b) => (
            <tr key={b.key} className={next.has(b.key) ? "nx" : ""}>
              <td>{b.kind === "deposit" ? "押" : b.periodNo || "次"}</td>
              <td className="cut">
                {b.kind === "deposit" || b.kind === "once"
                  ? b.title
                  : `${b.periodStart} ~ ${b.periodEnd.slice(5)}`}
              </td>
              <td>{due(b)}</td>
              <td className="num">{yuan(b.amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={3}>合计，含押金</td>
            <td className="num">{yuan(sum)}</td>
          </tr>
        </tfoot>
      </table>
    </>
  );
}

const HEIGHT = 76;
const WIDTH = 328;
const LEFT = 34;
/** The next round figure above the tallest bar: 1, 2 or 5 times a power of ten. */
function ceiling(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return ([1, 2, 5, 10].find((n) => n * power >= most) ?? 10) * power;
}
const inShort = (fen: number) => (fen >= 1_000_000 ? `${fen / 1_000_000}万` : `${fen / 100}`);

const LEGEND = [
  ["rent", "租金"],
  ["fee", "费用"],
  ["deposit", "押金"],
  ["off", "优惠"],
  ["free", "免租"],
] as const;

/** What is paid of a bar, with what the discounts took off it on top. */
const drawn = ({ rent, fee, deposit, discount, free }: MonthBar) => {
  const paid = Math.max(0, rent + discount);
  return { rent: paid, fee: fee + Math.min(0, rent + discount), deposit, off: -discount, free };
};

/** Bills by the month they start in: rent, fees and deposit stacked, discounts and what is free on top. Small enough to draw by hand. */
export function MonthBars({ months }: { months: readonly MonthBar[] }) {
  const bars = months.slice(0, 36);
  const top = ceiling(Math.max(...bars.map((m) => m.rent + m.fee + m.deposit + m.free)));
  const slot = (WIDTH - LEFT) / Math.max(bars.length, 1);
  const width = Math.min(22, slot * 0.7);
  const every = Math.ceil(bars.length / 8);
  const up = (fen: number) => (fen / top) * HEIGHT;
  return (
    <>
      <div className="live__sec row between">
        <h3>按计费期</h3>
        <div className="row gap-5 fs-12 sub">
          {LEGEND.map(([look, text]) => (
            <span key={look} className="row gap-2">
              <i className={`dot mb--${look}`} />
              {text}
            </span>
          ))}
        </div>
      </div>
      <svg
        className="mb"
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 24}`}
        role="img"
        aria-label={`各计费期的账单：${bars.map((m) => `${m.month} ${yuan(m.rent + m.fee + m.deposit + m.discount)}`).join("，")}`}
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
            return <rect key={look} className={`mb--${look}`} x={x} y={y} width={width} height={up(fen)} />;
          };
          return (
            <g key={m.month}>
              <title>{`${m.month}：租金 ${yuan(m.rent)}，费用 ${yuan(m.fee)}，押金 ${yuan(m.deposit)}${m.discount ? `，优惠 ${yuan(m.discount)}` : ""}${m.free ? `，免租 ${yuan(m.free)}` : ""}`}</title>
              {LEGEND.map(([look]) => rect(drawn(m)[look], look))}
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
