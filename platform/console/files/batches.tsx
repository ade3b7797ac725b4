import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Call } from "../../kernel/call.ts";
import { useAct } from "../calls/mutation.ts";
import { RowActions } from "../parts/actions.tsx";
import { Pager } from "../list/pager.tsx";
import { ask, download } from "../calls/request.ts";
import { RowTable } from "../list/row-table.tsx";
import { rowShape, shapeOf } from "../list/list-schema.ts";
import { Broken, RowsSkeleton } from "../parts/states.tsx";

type Batch = {
  id: number;
  number: string;
  fileName: string;
  villageName?: string;
  rowCount: number;
  errorCount: number;
  state: string;
  createdName: string;
  createdAt: string;
  version: number;
};

/** The question before a batch is taken back. */
export type UndoSays = (batch: Pick<Batch, "number" | "rowCount">) => string;
type Props = { list: Call; undo: Call; errorFile: Call; undoSays?: UndoSays | undefined };

const takesAway: UndoSays = ({ number, rowCount }) =>
  `将删除 ${number} 导入的 ${rowCount} 条记录；其中任何一条已有关联业务时不能撤销。`;

/** What was imported before, the latest first: files with errors to be had back, imports to be undone. */
export function ImportRecords({ list, undo, errorFile, undoSays = takesAway }: Props) {
  const act = useAct();
  const [page, setPage] = useState({ pageNo: 1, pageSize: 10 });
  const asked = useQuery(ask(list, { query: page } as never));
  const { error, refetch } = asked;
  const data = asked.data as { list: Batch[]; total: number | null } | undefined;
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={5} />;
  const schema = shapeOf(list.reply)["list"]!;
  const ofStores = "villageName" in rowShape(list);
  const actions = (b: Batch) => [
    b.errorCount > 0 && {
      label: "下载错误文件",
      run: () => download(errorFile, { params: { id: b.id } } as never),
    },
    b.state === "done" && {
      label: "撤销导入",
      run: () =>
        act(undo, { params: { id: b.id }, body: { version: b.version } } as never, {
          done: "已撤销导入",
          ask: { title: "撤销导入", body: undoSays(b), ok: "撤销" },
        }),
    },
  ];
  return (
    <>
      <RowTable<Batch>
        schema={schema}
        rows={data.list}
        columns={[
          { key: "number", width: 170 },
          "fileName",
          ...(ofStores ? (["villageName"] as const) : []),
          "rowCount",
          "errorCount",
          "state",
          "createdName",
          { key: "createdAt", width: 150 },
          { own: "acts", title: "操作", width: 130, show: (b) => <RowActions actions={actions(b)} /> },
        ]}
        emptyText="还没有导入过文件"
      />
      {(data.total ?? 0) > page.pageSize && (
        <Pager {...page} total={data.total!} set={(pageNo, pageSize) => setPage({ pageNo, pageSize })} />
      )}
    </>
  );
}
