import { useState } from "react";
import { freshKey } from "../../../platform/console/act.ts";
import { ImportDialog } from "../../../platform/console/importing.tsx";
import { download, send, upload } from "../../../platform/console/request.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { checkImport, commitImport, getImport, importErrorFile, importTemplate } from "./import.contract.ts";

/** 导入账单: the file is checked whole, then every bill in it is made or none. */
export function BillImport({ onClose }: { onClose: () => void }) {
  const [key] = useState(freshKey);
  return (
    <ImportDialog
      title="导入账单"
      template={importTemplate}
      hint="按模板填写 .xlsx，最多 5,000 行、30M；有错误时不导入任何一行"
      check={async (file) => {
        const { id } = await upload(checkImport, { files: [file] });
        const batch = await send(getImport, { params: { id } });
        return {
          rows: batch.rowCount,
          token: `${id} ${batch.version}`,
          totals: [{ title: "金额合计", text: yuan(batch.amount) }],
          errors: batch.errors.map((e) => ({
            row: e.row,
            column: `${e.column} ${e.header}`.trim(),
            msg: e.value ? `${e.msg}（${e.value}）` : e.msg,
          })),
          ...(batch.errorCount > 0 && {
            marked: () => download(importErrorFile, { params: { id } }),
          }),
        };
      }}
      commit={(checked) => {
        const [id, version] = (checked.token ?? "").split(" ").map(Number) as [number, number];
        return send(commitImport, { params: { id }, body: { version } }, { idempotencyKey: `${key}-${id}` });
      }}
      onClose={onClose}
    />
  );
}
