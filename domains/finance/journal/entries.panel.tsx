import { Fragment } from "react";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import type { EntryShown, MomentShown } from "./entry.contract.ts";

/** The journal entries of a record: what stands on which side, village by village. */
export function Entries({ entries }: { entries: readonly EntryShown[] }) {
  if (!entries.length) return <Empty text="没有凭证：未出账的账单不记账" />;
  return (
    <div className="box">
      <table className="tbl tbl--flat">
        <Heads of={["凭证", "门店", "科目", ["借方", "num"], ["贷方", "num"]]} />
        <tbody>
          {entries.map((e) => (
            <Fragment key={e.id}>
              {e.lines.map((l, i) => (
                <tr key={i}>
                  <td>
                    {i === 0 && (
                      <>
                        {e.eventName} <span className="dim">{e.date}</span>
                      </>
                    )}
                    {i === 1 && <span className="dim">{e.entryNo}</span>}
                    {i === 2 && e.businessDate !== e.date && (
                      <span className="dim">业务日期 {e.businessDate.slice(5)}</span>
                    )}
                  </td>
                  <td className="dim">{l.villageName}</td>
                  <td>
                    {l.account} {l.accountName}
                    {l.subject && <span className="dim"> {l.subject}</span>}
                    {l.account === "2299" && <span className="dim"> 自动</span>}
                  </td>
                  <td className="num">{l.debit ? <Money fen={l.debit} /> : ""}</td>
                  <td className="num">{l.credit ? <Money fen={l.credit} /> : ""}</td>
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The business log of a record. */
export const Moments = ({ log }: { log: readonly MomentShown[] }) => (
  <Timeline
    moments={log.map((m) => ({ key: m.id, at: m.at, who: m.who, what: m.action, note: m.summary }))}
  />
);
