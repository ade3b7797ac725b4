import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { addToMonth, dayInZone, monthOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { generateMany, postingYear, type PostingYear } from "./posting.contract.ts";
import { BATCH_STATE, type PostedSide } from "./posting.rules.ts";
import { Making, Result, Runs } from "./run.panel.tsx";

type Row = PostingYear["rows"][number];
type Month = Row["months"][number];

const NAME: CSSProperties = { position: "sticky", insetInlineStart: 0, background: "var(--bg-page)" };
/** Where a year does not fit, its last months are shown first. */
const toItsEnd = (box: HTMLDivElement | null) => {
  if (box) box.scrollLeft = box.scrollWidth;
};
const wordOf = ({ state, locked }: Month) => (state ? BATCH_STATE[state][0] : locked ? "已锁账" : "未生成");
const toneOf = ({ state, locked }: Month) => (state ? BATCH_STATE[state][1] : locked ? "blue" : "grey");

/** A year of every store: how far each month is, and what it comes to. */
export function Year({
  side,
  open,
}: {
  side: PostedSide;
  open: (villageId: number | null, month: string) => void;
}) {
  const [address, set] = useAddress();
  const [making, setMaking] = useState(false);
  /** The run whose result is open, or the list of them. */
  const [run, setRun] = useState<number | "all">();
  const today = dayInZone(new Date());
  const year = Number(address.get("year")) || Number(addToMonth(monthOf(today), -1).slice(0, 4));
  const { data, error, refetch } = useQuery({
    ...ask(postingYear, { query: { side, year } }),
    placeholderData: (before) => before,
  });
  return (
    <div className="stack gap-6 full scroll">
      <div className="row between wrap">
        <div className="row">
          <IconButton icon="left" label="上一年" run={() => set({ year: String(year - 1) })} />
          <b aria-live="polite">{year}</b>
          <IconButton icon="right" label="下一年" run={() => set({ year: String(year + 1) })} />
          <span className="dim">点击月份查看检查、生成和导出</span>
        </div>
        {may(generateMany.needs) && (
          <div className="row">
            <Button run={() => setRun("all")}>生成记录</Button>
            <Button look="main" run={() => setMaking(true)}>
              批量生成
            </Button>
          </div>
        )}
      </div>
      {error && !data ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={6} />
      ) : data.rows.length ? (
        <div className="scroll-x" ref={toItsEnd}>
          <table className="tbl tbl--flat">
            <thead>
              <tr>
                <th style={NAME}>门店</th>
                {data.rows[0]!.months.map(({ month }) => (
                  <th key={month} className="num">
                    {Number(month.slice(5))}月
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.rows.map((row) => (
                <tr key={row.villageId ?? 0}>
                  <td style={NAME}>
                    <span className="cut" title={row.villageName}>
                      {row.villageName}
                    </span>
                  </td>
                  {row.months.map((of) => (
                    <td key={of.month} className="num">
                      {of.month > monthOf(today) ? null : (
                        <button
                          type="button"
                          className="btn btn--text"
                          style={{ height: "auto" }}
                          aria-label={`${row.villageName} ${of.month} ${wordOf(of)}，${yuan(of.debit)}`}
                          onClick={() => open(row.villageId, of.month)}
                        >
                          <span className="stack gap-1">
                            <StatusTag tone={toneOf(of)}>{wordOf(of)}</StatusTag>
                            <small className="dim" data-whole>
                              {yuan(of.debit)}
                            </small>
                          </span>
                        </button>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <Empty text="没有可过账的门店" />
      )}
      {making && (
        <Making
          side={side}
          month={addToMonth(monthOf(today), -1)}
          onMade={setRun}
          onClose={() => setMaking(false)}
        />
      )}
      {run === "all" && <Runs side={side} onClose={() => setRun(undefined)} />}
      {typeof run === "number" && <Result id={run} side={side} onClose={() => setRun(undefined)} />}
    </div>
  );
}
