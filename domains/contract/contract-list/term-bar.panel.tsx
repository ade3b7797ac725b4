import { Tooltip } from "antd";
import type { CSSProperties, ReactNode } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { type Day, addDays, daysBetween } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Tone } from "../../../platform/kernel/field.ts";
import type { ContractDetail, contractBills } from "../contract/detail.contract.ts";
import { rentsOf } from "../contract/rents.rules.ts";

type Bill = Reply<typeof contractBills>[number];

const stateOf = (bill: Bill): readonly [text: string, tone: Tone] => {
  if (bill.status === "void") return ["作废", "grey"];
  if (bill.status === "paid") return ["已付", "green"];
  if (bill.overdueDays > 0) return [`逾期 ${bill.overdueDays} 天`, "red"];
  if (bill.status === "partial") return ["部分支付", "blue"];
  return bill.issued ? ["待支付", "gold"] : ["未出账", "cyan"];
};

/** The whole term as a bar: periods in the colour of their bills, free days hatched, price steps and today as marks. */
export function TermBar({
  contract,
  bills,
  onBill,
}: {
  contract: ContractDetail;
  bills: readonly Bill[];
  onBill: (id: number) => void;
}) {
  const { startDate: start, endDate: end, terms } = contract;
  if (!start || !end) return <p className="dim">起止日期未定</p>;
  const rents = rentsOf(contract);
  const days = daysBetween(start, end) + 1;
  const at = (day: Day) => (daysBetween(start, day) / days) * 100;
  const span = (from: Day, to: Day): CSSProperties => ({
    left: `${at(from)}%`,
    width: `${Math.max(0.4, at(addDays(to, 1)) - at(from))}%`,
  });
  // deposits and one-off bills cover no period of their own
  const periods = bills.filter((b) => /^第\d+期/.test(b.title) && b.periodStart && b.periodEnd);
  const today = contract.facts.today;
  const used = new Map(periods.map((b) => [stateOf(b)[0].replace(/ \d+ 天/, ""), stateOf(b)[1]]));
  return (
    <div className="term">
      <div className="term__bar">
        {periods.map((bill) => {
          const [text, tone] = stateOf(bill);
          return (
            <Tip
              key={bill.id}
              style={span(bill.periodStart!, bill.periodEnd!)}
              title={`${bill.title} ${bill.periodStart} ~ ${bill.periodEnd}，${yuan(bill.amount)}，应付 ${bill.dueDate}，${text}`}
            >
              <button
                type="button"
                className={`term__p s-${tone}`}
                aria-label={`${bill.title}，${text}`}
                onClick={() => onBill(bill.id)}
              />
            </Tip>
          );
        })}
        {terms.rentFree.map((free) => (
          <Tip
            key={free.fromDate}
            style={span(free.fromDate, free.toDate)}
            title={`免租 ${free.fromDate} ~ ${free.toDate}`}
          >
            <i className="term__free" />
          </Tip>
        ))}
        {today >= start && today <= end && (
          <i className="term__now" style={{ left: `${at(today)}%` }} title={`今天 ${today}`} />
        )}
      </div>
      <div className="term__marks fs-12 dim">
        <span style={{ left: 0 }}>{start}</span>
        {rents.slice(1).map(({ fromDate, rent }, i) => (
          <span key={fromDate} style={{ left: `${at(fromDate)}%` }} title={`${fromDate} 起 ${yuan(rent)}`}>
            {rent < rents[i]!.rent ? "↓" : "↑"} {yuan(rent)}
          </span>
        ))}
        <span className="term__end">{end}</span>
      </div>
      <div className="term__legend fs-12 sub">
        {[...used].map(([text, tone]) => (
          <span key={text} className={`s-${tone}`}>
            <i className="dot" />
            {text}
          </span>
        ))}
        {terms.rentFree.length > 0 && (
          <span>
            <i className="dot term__hatch" />
            免租
          </span>
        )}
        {!periods.length && <span className="dim">签署后按计费期显示账单</span>}
      </div>
    </div>
  );
}

const Tip = ({ title, style, children }: { title: string; style: CSSProperties; children: ReactNode }) => (
  <Tooltip title={title}>
    <span className="term__at" style={style}>
      {children}
    </span>
  </Tooltip>
);
