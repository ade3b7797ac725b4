import { useState } from "react";
import { ImportedBar as Bar } from "../../../platform/console/files/imported-bar.tsx";
import { ImportDialog } from "../../../platform/console/files/importing.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import type { Code } from "../indicator/figure.rules.ts";
import { targetImport } from "./import.contract.ts";

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
      calls={targetImport}
      templateQuery={{
        code: of.code,
        year: String(of.year),
        ...(of.villageIds && { villageIds: of.villageIds }),
      }}
      hint="模板中是当前指标和年份的目标，改好后上传；空白不修改，有错误时不导入任何一格"
      fields={{ note: note.trim() }}
      undoSays={(b) => `把 ${b.number} 修改的目标恢复为导入前的值；导入后又被修改过的不能撤销。`}
      totals={(batch) => [{ title: "修改", text: `${batch.changes} 格` }]}
      onDone={onDone}
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
export const ImportedBar = ({ done, onClose }: { done: Imported; onClose: () => void }) => (
  <Bar
    said={`已导入 ${done.saved} 格目标`}
    ask={`恢复刚导入的 ${done.saved} 格目标，确定吗？`}
    undo={targetImport.undo}
    batch={done}
    onClose={onClose}
  />
);
