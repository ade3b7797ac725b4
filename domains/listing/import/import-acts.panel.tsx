import { useAct } from "../../../platform/console/act.ts";
import type { Action } from "../../../platform/console/actions.tsx";
import { download } from "../../../platform/console/request.ts";
import type { Row } from "../../../platform/console/schema.ts";
import { toast } from "../../../platform/console/toast.ts";
import {
  recheckRoomImport,
  roomImportErrorFile,
  type roomImports,
  undoRoomImport,
} from "./import.contract.ts";
import { commitRefusal } from "./import.rules.ts";

type Batch = Pick<Row<typeof roomImports>, "id" | "number" | "state" | "errorCount" | "made" | "fileName">;

/** What can be done with a batch later, with the reason where it cannot. */
export function useImportActs(): (batch: Batch) => Action[] {
  const act = useAct();
  return (batch) => {
    const params = { id: batch.id };
    return [
      {
        label: "下载错误文件",
        need: "6.import",
        why: batch.errorCount ? undefined : "文件没有错误",
        run: () => download(roomImportErrorFile, { params }),
      },
      {
        label: "重新检查",
        need: "6.import",
        why: batch.state === "importing" || batch.state === "done" ? commitRefusal(batch.state) : undefined,
        run: async () => {
          const checked = await act(recheckRoomImport, { params, body: {} });
          if (checked)
            toast(
              checked.errorCount ? `检查完成，${checked.errorCount} 处错误` : "检查完成，没有错误",
              checked.errorCount ? "warning" : "success",
            );
        },
      },
      {
        label: "撤销导入",
        need: "#603",
        danger: true,
        why: batch.state === "done" ? undefined : "只有已导入的批次可以撤销",
        run: () =>
          act(
            undoRoomImport,
            { params, body: {} },
            {
              done: "已撤销导入",
              ask: {
                title: `撤销导入 ${batch.number}`,
                body: `将移除“${batch.fileName}”新建的全部楼栋、房源和房间（${batch.made}）。有房间已被使用时不会移除任何一条。`,
                ok: "撤销导入",
              },
            },
          ),
      },
    ];
  };
}
