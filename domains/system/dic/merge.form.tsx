import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Source } from "../../../platform/kernel/filter.ts";
import type { DicCalls, DicItem } from "./dic.contract.ts";
import { groupsOf } from "./dic.rules.ts";

/** The other words of its group; what is chosen is named by its id. */
const others = (calls: DicCalls, item: DicItem): Source => ({
  call: calls.list,
  query: { group: item.group },
  option: (row: DicItem) => ({
    value: row.id,
    label: row.name,
    ...(row.id === item.id && { note: "本项" }),
    ...(row.state === "off" && { note: "已停用" }),
  }),
});

/** 合并到…: every use goes over to another word of the group, and this one is gone. */
export const MergeForm = ({
  calls,
  item,
  onClose,
}: {
  calls: DicCalls;
  item: DicItem;
  onClose: () => void;
}) => (
  <FormDialog
    call={calls.merge}
    title={`合并${groupsOf(calls.kind)[item.group]!.title}“${item.name}”`}
    ok="合并"
    done="已合并"
    params={{ id: item.id }}
    initial={{ version: item.version }}
    fields={[
      {
        show: () => (
          <p className="sub">
            {item.uses ? `${item.uses} 处使用记录将改为所选项，` : "没有使用记录，"}“{item.name}”随后删除
          </p>
        ),
      },
      { key: "into", input: (p) => <RecordSelect {...p} source={others(calls, item)} /> },
    ]}
    onClose={onClose}
  />
);
