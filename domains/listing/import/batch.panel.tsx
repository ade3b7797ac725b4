import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, download } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Taking, WrongCells } from "../../../platform/console/files/checking.tsx";
import { SheetColumns } from "../../../platform/console/files/sheet-columns.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import {
  commitRoomImport,
  recheckRoomImport,
  ROOM_IMPORT_STATES,
  roomImport,
  roomImportColumns,
  roomImportErrorFile,
  roomImportErrors,
  undoRoomImport,
} from "./import.contract.ts";
import { importPreview, type ImportPreview } from "./preview.rules.ts";

type Batch = Reply<typeof roomImport>;
type Listed = Pick<Batch, "id" | "number" | "state" | "rowCount">;

/** What can be done with a batch, the same in its row and on its own page. */
export function useImportActs(): (batch: Listed) => Actions {
  const act = useAct();
  return (batch) => {
    const sent = { params: { id: batch.id }, body: {} };
    return [
      batch.state === "ready" && {
        label: "确认导入",
        does: commitRoomImport,
        main: true,
        run: () =>
          act(commitRoomImport, sent, {
            ask: {
              title: "确认导入",
              body: `将按文件新建 ${batch.rowCount} 套房源，全部成功或全部不导入。`,
              ok: "导入",
            },
          }),
      },
      batch.state === "failed" && {
        label: "下载错误文件",
        does: roomImportErrorFile,
        run: () => download(roomImportErrorFile, { params: { id: batch.id } }),
      },
      (batch.state === "failed" || batch.state === "ready" || batch.state === "undone") && {
        label: "重新检查",
        does: recheckRoomImport,
        run: () => act(recheckRoomImport, sent, { done: "已重新检查" }),
      },
      batch.state === "done" && {
        label: "撤销导入",
        does: undoRoomImport,
        danger: true,
        run: () =>
          act(undoRoomImport, sent, {
            done: "已撤销",
            ask: {
              title: "撤销导入",
              body: `将移除 ${batch.number} 新建的全部房源；其中任何一间已有租约、封房、改价或账单时不能撤销。`,
              ok: "撤销",
            },
          }),
      },
    ];
  };
}

/** A batch: its errors by row and column, what it would make, how far it is, or what it made. */
export function BatchDrawer({ id }: { id: number }) {
  const actsOf = useImportActs();
  return (
    <Detail
      call={roomImport}
      sent={{ params: { id } }}
      width={960}
      title={(b) => b.number}
      tags={(b) => <WordTag words={ROOM_IMPORT_STATES} code={b.state} />}
      facts={["fileName", "villageName", "rowCount", "errorCount", "made", "createdName", "createdAt"]}
      actions={(b) => actsOf(b)}
      tabs={[{ key: "content", title: "内容", view: (b) => <Content batch={b} /> }]}
      log="roomImport"
    />
  );
}

function Content({ batch }: { batch: Batch }) {
  const refresh = useRefresh();
  // asked again every second while it is being taken; the whole drawer follows
  useQuery({
    ...ask(roomImport, { params: { id: batch.id } }),
    refetchInterval: batch.state === "importing" ? 1000 : false,
  });
  if (batch.state === "importing") return <Taking percent={batch.progress} later="稍后在列表中查看结果" />;
  const { mapping } = batch;
  const columns = mapping && (
    <SheetColumns
      key={batch.id}
      mapping={mapping}
      call={roomImportColumns}
      id={batch.id}
      onMapped={refresh}
    />
  );
  if (batch.state === "failed")
    return (
      <>
        {columns}
        {mapping?.confirmed !== false && <Errors id={batch.id} />}
      </>
    );
  return (
    <>
      {columns}
      {batch.state === "done" && (
        <p>
          已导入。<Link to={pathTo("/configuration/ApartmentManage")}>查看房源列表</Link>
        </p>
      )}
      {batch.preview && <Preview preview={batch.preview} />}
    </>
  );
}

const SHOWN = 500;

function Errors({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(roomImportErrors, { params: { id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={5} />;
  return (
    <>
      <p className="form__note imports__wrong">
        共 {data.total} 处错误，没有导入任何一行；改正后重新上传，或下载错误文件在其中改正
      </p>
      <WrongCells errors={data.list} columns={["row", "column", "header", "value", "msg"]} most={SHOWN} />
      {data.total > SHOWN && <p className="dim">只列出前 {SHOWN} 处，全部错误见错误文件</p>}
    </>
  );
}

const { villages, buildings, rows } = importPreview.shape;

const Preview = ({ preview }: { preview: ImportPreview }) => {
  const { made } = preview;
  return (
    <>
      <p>
        新建 {made.buildings} 个楼栋、{made.units} 个单元、{made.floors} 个楼层、
        <b>{made.apartments} 套房源</b>、{made.rooms} 个房间、
        {made.prices} 条价格
      </p>
      <h3>按门店合计（请与原表核对）</h3>
      <RowTable
        schema={villages}
        rows={preview.villages}
        columns={["name", "apartments", "rooms", "listPrice"]}
      />
      <h3>楼栋</h3>
      <RowTable
        schema={buildings}
        rows={preview.buildings}
        columns={[
          "village",
          {
            key: "name",
            show: (b) => (
              <>
                {b.name} {b.isNew && <StatusTag tone="green">新建</StatusTag>}
              </>
            ),
          },
          "floors",
          "apartments",
          "rooms",
        ]}
      />
      <h3>前 {preview.rows.length} 行</h3>
      <RowTable
        schema={rows}
        rows={preview.rows}
        columns={["row", "village", "place", "mode", "rooms", "area", "listPrice"]}
      />
    </>
  );
};
