import { Segments } from "../../../platform/console/parts/segments.tsx";
import { useState } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { Explain } from "../../../platform/console/detail/explain.tsx";
import { pageWithin } from "../../../platform/console/list/page-numbers.ts";
import { Pager } from "../../../platform/console/list/pager.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import type { Explain as Why } from "../schedule/line.rules.ts";
import { sentences } from "../schedule/sentence.rules.ts";
import type { previewContract } from "./preview.contract.ts";
import "../contract/contract.css";

export type Previewed = Reply<typeof previewContract>;
type Bill = Previewed["added"][number];

const same = (a: Bill, b: Bill | undefined) =>
  b !== undefined && a.amount === b.amount && a.dueOn === b.dueOn && a.lines.length === b.lines.length;

/** Lines that a page takes without being felt: a company's contract may have tens of thousands. */
const ROWS = 100;

/** Every bill that signing would make, line by line; a click on an amount says how it came about. */
export function BillTable({ preview, before }: { preview: Previewed; before?: Previewed | undefined }) {
  const subjects = [...new Set(preview.added.flatMap((b) => b.lines.map((l) => l.subject)))];
  const [chosen, setSubject] = useState("");
  // one that no bill has any more is no choice
  const subject = subjects.includes(chosen) ? chosen : "";
  const [open, setOpen] = useState("");
  const [page, setPage] = useState({ pageNo: 1, pageSize: ROWS });
  const old = new Map(before?.added.map((b) => [b.key, b]));
  const rooms = new Map(preview.rooms.map((r) => [r.roomId, r.name]));
  const several = rooms.size > 1;
  const bills = preview.added.filter((b) => !subject || b.lines.some((l) => l.subject === subject));
  const rows = bills.flatMap((bill) =>
    bill.lines.filter((l) => !subject || l.subject === subject).map((line, i) => ({ bill, line, i })),
  );
  const pageNo = pageWithin(rows.length, page);
  const from = (pageNo - 1) * page.pageSize;
  const sum = rows.reduce((s, { line }) => s + line.amount, 0);
  return (
    <div className="grid gap-4">
      <div className="row fs-13">
        <Segments
          label="按科目筛选"
          items={["", ...subjects].map((s) => [s, s || "全部科目"])}
          on={subject}
          onChange={(to) => {
            setSubject(to);
            setPage({ ...page, pageNo: 1 });
          }}
        />
        <span className="grow" />
        <span className="dim">账单 {bills.length} 张</span>
      </div>
      <div className="box">
        <table className="tbl pv__tbl">
          <thead>
            <tr>
              <th>期次</th>
              <th>计费期</th>
              <th>应收日</th>
              <th>科目</th>
              {several && <th>房间</th>}
              <th className="num">金额</th>
              <th>计算说明</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(from, from + page.pageSize).map(({ bill, line, i }) => {
              const changed = before !== undefined && !same(bill, old.get(bill.key));
              const key = `${bill.key} ${i}`;
              return [
                <tr key={key} className={changed ? "pv__new" : ""}>
                  <td className="dim">{i ? "" : bill.periodNo || "—"}</td>
                  <td>
                    {line.from} ~ {line.to}
                  </td>
                  <td>{i ? "" : (bill.dueOn ?? "签约当日")}</td>
                  <td>
                    {line.subject} {changed && !i && <StatusTag tone="gold">有变化</StatusTag>}
                  </td>
                  {several && <td>{line.roomId === null ? "—" : rooms.get(line.roomId)}</td>}
                  <td className="num">
                    <button
                      type="button"
                      className="linkish"
                      aria-expanded={open === key}
                      onClick={() => setOpen(open === key ? "" : key)}
                    >
                      {yuan(line.amount)}
                    </button>
                  </td>
                  <td className="dim pv__how" title={line.how}>
                    {line.how}
                  </td>
                </tr>,
                open === key && (
                  <tr key={`${key} why`} className="more">
                    <td colSpan={several ? 7 : 6}>
                      <Explain rows={whyRows(line.explain)} />
                    </td>
                  </tr>
                ),
              ];
            })}
          </tbody>
          <tfoot>
            <tr className="sum">
              <td colSpan={several ? 5 : 4}>{subject ? `${subject}合计` : "合计（含押金）"}</td>
              <td className="num">
                <Money fen={sum} />
              </td>
              <td />
            </tr>
          </tfoot>
        </table>
        {rows.length > ROWS && (
          <Pager
            {...page}
            pageNo={pageNo}
            total={rows.length}
            set={(to, pageSize) => setPage({ pageNo: to, pageSize })}
          />
        )}
      </div>
    </div>
  );
}

/** The explanation of a line as label and sentence, stretch by stretch. */
function whyRows(explain: object): (readonly [string, string])[] {
  const why = explain as Why;
  const { rows, note } = sentences(why);
  const numbered = rows.map((row, i) => [rows.length > 1 ? `第 ${i + 1} 段` : "算式", row] as const);
  return [["公式", why.formula] as const, ...numbered, ...(note ? [["说明", note] as const] : [])];
}

/** Sums by subject and calendar year of the due date; what is due on signing stands first. */
export function YearTable({ preview }: { preview: Previewed }) {
  const years = new Map<string, Map<string, number>>();
  const subjects = new Set<string>();
  for (const bill of preview.added)
    for (const line of bill.lines) {
      const year = bill.dueOn?.slice(0, 4) ?? "签约当日";
      const row = years.get(year) ?? new Map<string, number>();
      years.set(year, row.set(line.subject, (row.get(line.subject) ?? 0) + line.amount));
      subjects.add(line.subject);
    }
  const cols = [...subjects];
  return (
    <div className="box">
      <table className="tbl">
        <thead>
          <tr>
            <th>应付年份</th>
            {cols.map((s) => (
              <th key={s} className="num">
                {s}
              </th>
            ))}
            <th className="num">合计</th>
          </tr>
        </thead>
        <tbody>
          {[...years].map(([year, row]) => (
            <tr key={year}>
              <td>{year}</td>
              {cols.map((s) => (
                <td key={s} className="num">
                  <Money fen={row.get(s) ?? 0} />
                </td>
              ))}
              <td className="num">
                <Money fen={[...row.values()].reduce((a, b) => a + b, 0)} strong />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
