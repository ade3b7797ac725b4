import { Money } from "../../../platform/console/kinds.tsx";
import { RowTable } from "../../../platform/console/rowtable.tsx";
import { Empty } from "../../../platform/console/states.tsx";
import { entryShown, type EntryShown } from "./entry.contract.ts";
import "./entries.css";

const sumOf = (entry: EntryShown, side: "debit" | "credit") =>
  entry.lines.reduce((sum, line) => sum + line[side], 0);

/** The vouchers of a record, in the order in which they were posted. */
export const Entries = ({ entries }: { entries: readonly EntryShown[] }) =>
  entries.length ? (
    <div className="entries">
      {entries.map((entry) => (
        <section key={entry.id}>
          <header className="entries__head">
            <b>{entry.eventName}</b>
            <span className="sub">{entry.entryNo}</span>
            <span className="grow" />
            <span className="dim">
              记账日 {entry.date}
              {entry.businessDate !== entry.date && `，业务日期 ${entry.businessDate}`}
            </span>
          </header>
          <RowTable
            schema={entryShown.shape.lines}
            rows={entry.lines}
            columns={[
              {
                own: "account",
                title: "科目",
                show: (l) => (
                  <>
                    {l.account} {l.accountName} <span className="dim">{l.subject}</span>
                  </>
                ),
              },
              { key: "villageName", width: 128 },
              // no posting on a side is an empty cell, as on paper
              { key: "debit", width: 120, show: (l) => l.debit > 0 && <Money fen={l.debit} /> },
              { key: "credit", width: 120, show: (l) => l.credit > 0 && <Money fen={l.credit} /> },
            ]}
            sums={{ debit: sumOf(entry, "debit"), credit: sumOf(entry, "credit") }}
          />
        </section>
      ))}
    </div>
  ) : (
    <Empty text="还没有凭证" />
  );
