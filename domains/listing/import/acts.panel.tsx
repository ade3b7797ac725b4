import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { download } from "../../../platform/console/calls/request.ts";
import {
  commitRoomImport,
  recheckRoomImport,
  roomImportErrorFile,
  undoRoomImport,
} from "./import.contract.ts";
import { commitRefusal, type ImportState } from "./preview.rules.ts";

type Batch = { id: number; number: string; state: ImportState; rowCount: number };

/** What can be done with a batch, the same in its row and on its own page. */
export function useImportActs(): (batch: Batch) => Actions {
  const act = useAct();
  return (batch) => {
    const sent = { params: { id: batch.id }, body: {} };
    return [
      batch.state === "ready" && {
        label: "确认导入",
        does: commitRoomImport,
        main: true,
        why: commitRefusal(batch.state),
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
