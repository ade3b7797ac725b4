import { useState } from "react";
import { useAct } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { ImportDialog } from "../../../platform/console/importing.tsx";
import { TextInput } from "../../../platform/console/inputs.tsx";
import { download, send, upload } from "../../../platform/console/request.ts";
import type { Code } from "../overview/overview.rules.ts";
import {
  checkTargetImport,
  commitTargetImport,
  getTargetImport,
  targetErrorFile,
  targetTemplate,
  undoTargetImport,
} from "./target-import.contract.ts";

export type Imported = { id: number; saved: number; version: number };
type Props = {
  of: { code: Code; year: number; villageIds: string };
  onDone: (done: Imported) => void;
  onClose: () => void;
};

/** 导入目标: the file is checked whole, then all of its targets are taken or none. */
export function TargetImport({ of, onDone, onClose }: Props) {
  const [note, setNote] = useState("");
  return (
    <ImportDialog
      title="导入目标"
      template={targetTemplate}
      templateQuery={{
        code: of.code,
        year: String(of.year),
        ...(of.villageIds && { villageIds: of.villageIds }),
      }}
      hint="模板中是当前指标和年份的目标，改好后上传；空白不修改，有错误时不导入任何一格"
      check={async (file) => {
        const { id } = await upload(checkTargetImport, { files: [file], fields: { note: note.trim() } });
        const batch = await send(getTargetImport, { params: { id } });
        return {
          rows: batch.rowCount,
          token: `${id} ${batch.version}`,
          totals: [{ title: "修改", text: `${batch.changes} 格` }],
          errors: batch.errors.map((e) => ({
            row: e.row,
            column: `${e.column} ${e.header}`.trim(),
            msg: e.value ? `${e.msg}（${e.value}）` : e.msg,
          })),
          ...(batch.errorCount > 0 && {
            marked: () => download(targetErrorFile, { params: { id } }),
          }),
        };
      }}
      commit={async (checked) => {
        const [id, version] = (checked.token ?? "").split(" ").map(Number) as [number, number];
        const done = await send(commitTargetImport, { params: { id }, body: { version } });
        onDone(done);
        return done;
      }}
      onClose={onClose}
    >
      <label className="fi">
        <span className="fi__label">原因</span>
        <div className="fi__in">
          <TextInput
            value={note}
            onChange={(next) => setNote(next ?? "")}
            placeholder="修改已结束的月份须填写"
          />
        </div>
      </label>
    </ImportDialog>
  );
}

/** After an import: how many cells it changed, and the way back while nobody has changed them again. */
export function ImportedBar({ done, onClose }: { done: Imported; onClose: () => void }) {
  const act = useAct();
  const undo = async () => {
    const sent = { params: { id: done.id }, body: { version: done.version } };
    const ask = { title: "撤销导入", body: `恢复刚导入的 ${done.saved} 格目标，确定吗？` };
    if ((await act(undoTargetImport, sent, { done: "已撤销导入", ask })) !== undefined) onClose();
  };
  return (
    <div className="notice s-green">
      <span className="grow">已导入 {done.saved} 格目标</span>
      <Button size="sm" run={undo}>
        撤销导入
      </Button>
      <Button size="sm" run={onClose}>
        知道了
      </Button>
    </div>
  );
}
