import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { PeriodGrid } from "../../../platform/console/list/period-grid.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirm } from "../../../platform/console/parts/dialog.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { addToMonth, dayInZone, monthOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { generatePosting, postingYear, type PostingYear } from "./posting.contract.ts";
import { BATCH_STATE, type PostedSide } from "./posting.rules.ts";

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
  const today = dayInZone(new Date());
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
          may(generatePosting.needs) && (
            <Button look="main" run={() => setMaking(true)}>
              批量生成
            </Button>
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
        <Making side={side} month={addToMonth(monthOf(today), -1)} onClose={() => setMaking(false)} />
      )}
    </div>
  );
}

/** The vouchers of a month for many stores; those that are not ready are named, each with what stands in the way. */
const Making = ({ side, month, onClose }: { side: PostedSide; month: string; onClose: () => void }) => (
  <FormDialog
    call={generatePosting}
    title="批量生成过账单"
    ok="生成"
    width={520}
    initial={{ side, month, villageIds: [], office: false }}
    onClose={onClose}
    onDone={({ made, refused }) => {
      if (made) toast(`已生成 ${made} 张过账单`);
      if (refused.length)
        void confirm({
          title: `${refused.length} 个门店没有生成`,
          ok: "知道了",
          width: 560,
          body: (
            <ul className="stack gap-2">
              {refused.map(({ villageName, why }) => (
                <li key={villageName}>
                  <b>{villageName}</b> <span className="sub">{why}</span>
                </li>
              ))}
            </ul>
          ),
        });
    }}
    fields={[
      "month",
      { key: "villageIds", title: "门店", input: (p) => <VillagesInput {...p} most={2000} /> },
      "office",
    ]}
  />
);
