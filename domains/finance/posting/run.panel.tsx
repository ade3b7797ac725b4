import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { generateMany, getRun, listRuns, ROW_STATE } from "./posting.contract.ts";
import { COST_PAGE, INCOME_PAGE, type PostedSide } from "./posting.rules.ts";

type Props = { side: PostedSide; onClose: () => void };

/** The vouchers of a month for many stores. */
export const Making = ({
  side,
  month,
  onMade,
  onClose,
}: Props & { month: string; onMade: (runId: number) => void }) => (
  <FormDialog
    call={generateMany}
    title="批量生成过账单"
    ok="生成"
    width={520}
    initial={{ side, month, villageIds: [], office: false }}
    onClose={onClose}
    onDone={({ id }) => onMade(id)}
    fields={[
      "month",
      { key: "villageIds", title: "门店", input: (p) => <VillagesInput {...p} most={2000} /> },
      "office",
    ]}
  />
);

/** What somebody asked for before, and what became of each store. */
export function Runs({ side, onClose }: Props) {
  const [open, setOpen] = useState<number>();
  const { data, error, refetch } = useQuery(ask(listRuns, { query: { side } }));
  if (open) return <Result id={open} side={side} onClose={() => setOpen(undefined)} />;
  return (
    <Drawer title="批量生成记录" width={800} modal onClose={onClose}>
      {error && !data ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={6} />
      ) : (
        <RowTable
          schema={listRuns.reply}
          rows={data}
          emptyText="还没有批量生成过"
          columns={[
            "at",
            "month",
            "state",
            "total",
            "done",
            "refused",
            {
              own: "open",
              title: "",
              width: 72,
              show: (row) => (
                <Button look="text" run={() => setOpen(row.id)}>
                  查看
                </Button>
              ),
            },
          ]}
        />
      )}
    </Drawer>
  );
}

export const Result = ({ id, side, onClose }: Props & { id: number }) => (
  <Drawer title="批量生成结果" width={960} modal onClose={onClose}>
    <Stores id={id} side={side} />
  </Drawer>
);

/** What stands in the way is read whole. */
const SAID: CSSProperties = { display: "inline-block", minWidth: "16em", whiteSpace: "normal" };

function Stores({ id, side }: { id: number; side: PostedSide }) {
  const refresh = useRefresh();
  const { data, error, refetch } = useQuery({
    ...ask(getRun, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.state === "done" ? false : 1000),
  });
  const [told, setTold] = useState(false);
  if (data?.state === "done" && !told) {
    setTold(true);
    void refresh();
  }
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  const count = (state: "done" | "refused") => data.rows.filter((row) => row.state === state).length;
  const page = side === "income" ? INCOME_PAGE : COST_PAGE;
  return (
    <div className="stack gap-6">
      <p role="status">
        {data.state === "running"
          ? `${data.month} 正在生成 ${data.percent}%，可以离开本页，结果见批量生成记录`
          : `${data.month} 已生成 ${count("done")} 张过账单，${count("refused")} 个门店没有生成。`}
      </p>
      <RowTable
        schema={getRun.reply.shape.rows}
        rows={data.rows}
        columns={[
          "villageName",
          { key: "state", show: (row) => <WordTag words={ROW_STATE} code={row.state} /> },
          {
            key: "batchNo",
            to: (row) => (row.batchId === null ? undefined : pathTo(page, { list: "list", id: row.batchId })),
          },
          "debit",
          { key: "said", show: (row) => <span style={SAID}>{row.said}</span> },
        ]}
      />
    </div>
  );
}
