import type { CSSProperties } from "react";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { RunDrawer, RunsDrawer } from "../../../platform/console/list/many-run.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { accrueMonth } from "../accrual/accrual.contract.ts";
import { generateMany, getRun, listRuns, ROW_STATE } from "./posting.contract.ts";
import { COST_PAGE, INCOME_PAGE, type PostedSide } from "./posting.rules.ts";

type Props = { side: PostedSide; onClose: () => void };

/** The vouchers of a month for many stores. */
export function Making({
  side,
  month,
  onMade,
  onClose,
}: Props & { month: string; onMade: (runId: number) => void }) {
  const accrues = side === "income" && may(accrueMonth.needs);
  return (
    <FormDialog
      call={generateMany}
      title="批量生成过账单"
      ok="生成"
      width={520}
      initial={{ side, month, villageIds: [], office: false, accrue: accrues }}
      onClose={onClose}
      onDone={({ id }) => onMade(id)}
      fields={[
        "month",
        { key: "villageIds", title: "门店", input: (p) => <VillagesInput {...p} most={2000} /> },
        "office",
        ...(accrues ? (["accrue"] as const) : []),
      ]}
    />
  );
}

/** What somebody asked for before, and what became of each store. */
export const Runs = ({ side, onClose }: Props) => (
  <RunsDrawer<Reply<typeof listRuns>[number]>
    title="批量生成记录"
    call={listRuns}
    query={{ side }}
    columns={["at", "month", "state", "total", "done", "refused"]}
    emptyText="还没有批量生成过"
    result={(id, close) => <Result id={id} side={side} onClose={close} />}
    onClose={onClose}
  />
);

/** What stands in the way is read whole. */
const SAID: CSSProperties = { display: "inline-block", minWidth: "16em", whiteSpace: "normal" };

export const Result = ({ id, side, onClose }: Props & { id: number }) => (
  <RunDrawer<Reply<typeof getRun>>
    title="批量生成结果"
    call={getRun}
    id={id}
    said={({ month, state, percent }, done, refused) =>
      state === "running"
        ? `${month} 正在生成 ${percent}%，可以离开本页，结果见批量生成记录`
        : `${month} 已生成 ${done} 张过账单，${refused} 个门店没有生成。`
    }
    columns={[
      "villageName",
      { key: "state", show: (row) => <WordTag words={ROW_STATE} code={row.state} /> },
      {
        key: "batchNo",
        to: (row) =>
          row.batchId === null
            ? undefined
            : pathTo(side === "income" ? INCOME_PAGE : COST_PAGE, { list: "list", id: row.batchId }),
      },
      "debit",
      { key: "said", show: (row) => <span style={SAID}>{row.said}</span> },
    ]}
    onClose={onClose}
  />
);
