import { useRef, useState } from "react";
import type { Day } from "../../../platform/kernel/day.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { dueOn } from "../schedule/slot.rules.ts";
import type { Line, Plan, PlannedBill } from "../schedule/line.rules.ts";
import { sentences } from "../schedule/sentence.rules.ts";
import { subjectOf } from "../preview/preview.rules.ts";
import type { Draft } from "./draft.form.tsx";
import { nameOfField } from "./drafting.rules.ts";
import { MonthBars } from "./month-bars.panel.tsx";

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
      <div className="live__h">
        <h2>实时账单</h2>
        <span className={stale ? "live__no" : "live__ok"}>
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
        <span>签约应收</span>
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

function Why({ name, lines }: { name: string; lines: readonly Line[] }) {
  const said = lines.map((l) => ({ line: l, ...sentences(l.explain) }));
  const note = said.findLast((s) => s.note && s.line.explain.rule !== "free")?.note;
  return (
    <div className="live__why">
      <b>{name}</b>
      {note && <em>{note}</em>}
      {said.flatMap(({ line, rows }) =>
        rows.map((row) => (
          <p key={`${line.from} ${row}`}>
            {line.explain.rule === "free" ? `${line.from.slice(5)} ~ ${line.to.slice(5)} 免租 0.00` : row}
          </p>
        )),
      )}
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
      <div className="live__sec">
        <h3>账单 {plan.bills.length} 张</h3>
        <span className="dim">最近三期加粗显示</span>
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
