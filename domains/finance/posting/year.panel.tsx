import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { PeriodGrid } from "../../../platform/console/list/period-grid.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { addToMonth, monthOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { generateMany, postingYear, type PostingYear } from "./posting.contract.ts";
import { BATCH_STATE, type PostedSide } from "./posting.rules.ts";
import { Making, Result, Runs } from "./run.panel.tsx";

type Row = PostingYear["rows"][number];
type Month = Row["months"][number];

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
  const today = useToday();
  const year = Number(address.get("year")) || Number(addToMonth(monthOf(today), -1).slice(0, 4));
  const { data, error, refetch } = useQuery({
    ...ask(postingYear, { query: { side, year } }),
    placeholderData: (before) => before,
  });
  return (
    <div className="stack gap-6 full scroll">
      <PeriodGrid
        period={String(year)}
        before="上一年"
        after="下一年"
        step={(by) => set({ year: String(year + by) })}
        note="点击月份查看检查、生成和导出"
        action={
          may(generateMany.needs) && (
            <div className="row">
              <Button run={() => setRun("all")}>生成记录</Button>
              <Button look="main" run={() => setMaking(true)}>
                批量生成
              </Button>
            </div>
          )
        }
        error={error}
        retry={refetch}
        rows={data?.rows}
        empty="没有可过账的门店"
        head="门店"
        keyOf={(row) => row.villageId ?? 0}
        name={({ villageName }) => (
          <span className="cut" title={villageName}>
            {villageName}
          </span>
        )}
        cells={(row) => row.months}
        at={({ month }) => month}
        word={(month) => `${Number(month.slice(5))}月`}
        cell={(row, of) =>
          of.month > monthOf(today) ? null : (
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
          )
        }
      />
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
