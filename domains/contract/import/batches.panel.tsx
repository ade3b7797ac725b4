import { useAct } from "../../../platform/console/calls/mutation.ts";
import { useFollowed } from "../../../platform/console/calls/followed.ts";
import { ask, download } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { RowActions } from "../../../platform/console/parts/actions.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { type ContractKind, KINDS } from "../terms/kind.rules.ts";
import { OPENINGS } from "./import.contract.ts";

type Batch = Reply<(typeof OPENINGS)["renter"]["calls"]["list"]>["list"][number];

/** The batches so far, newest first; each can be looked at again, and one that came in can be taken back. */
export function Batches({
  kind,
  openId,
  onOpen,
}: {
  kind: ContractKind;
  openId: number | undefined;
  onOpen: (id: number) => void;
}) {
  const { calls } = OPENINGS[kind];
  const act = useAct();
  const { data, error, refetch } = useFollowed(ask(calls.list, { query: { pageSize: 10 } }), ({ list }) =>
    list.filter((b) => b.state === "importing").map((b) => b.id),
  );
  const actionsOf = (b: Batch) => [
    { label: "查看", run: () => onOpen(b.id) },
    (b.state === "done" || b.state === "failed") && {
      label: b.state === "done" ? "结果" : "错误文件",
      run: () => download(calls.errorFile, { params: { id: b.id } }),
    },
    b.state === "done" && {
      label: "撤销",
      danger: true,
      run: () =>
        act(
          calls.undo,
          { body: { id: b.id } },
          {
            done: "已撤销",
            ask: {
              title: "撤销导入",
              body: `将作废 ${b.number}（${b.rowCount} 行）导入的合同及其账单，冲回期初余额，房间恢复空置；新建的${KINDS[kind].party}资料保留。其中任何一份已收款或有变更时不能撤销。`,
              ok: "撤销",
            },
          },
        ),
    },
  ];
  return (
    <section aria-label="导入批次">
      <h3 className="opening__title">导入批次</h3>
      {error && !data ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={3} />
      ) : (
        <RowTable<Batch>
          schema={calls.list.reply.shape.list}
          rows={data.list}
          columns={[
            "number",
            { key: "fileName", width: 150 },
            { key: "villageName", width: 150 },
            "takenOn",
            "rowCount",
            "state",
            "createdName",
            "createdAt",
            { own: "acts", title: "操作", show: (b) => <RowActions actions={actionsOf(b)} /> },
          ]}
          marked={(b) => b.id === openId}
          emptyText="还没有导入过；接管一家在运营的门店时，从这里带入在租合同和期初余额"
        />
      )}
      {data && (data.total ?? 0) > data.list.length && (
        <p className="dim">只列出最近 {data.list.length} 批</p>
      )}
    </section>
  );
}
