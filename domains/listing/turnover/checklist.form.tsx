import { Input } from "antd";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { useWords } from "../../../platform/console/inputs/dic.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import type { Day } from "../../../platform/kernel/day.ts";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { finishTurnover } from "./turnover.contract.ts";
import "../room/places.css";

export type Checked = { item: string; ok: boolean; note?: string };

/** The cleaning list of the house dictionary: what was looked at, and what was found. */
export function ChecklistInput({ value = [], onChange, id }: InputProps<Checked[]>) {
  const words = useWords({ kind: "house", group: "cleanList" });
  if (!words.length) return <span className="dim">房源字典中没有保洁清单</span>;
  const put = (next: Checked) => onChange([...value.filter((c) => c.item !== next.item), next]);
  return (
    <ul className="checklist" id={id}>
      {words.map(({ name, hint, photo }) => {
        const now = value.find((c) => c.item === name) ?? { item: name, ok: false };
        return (
          <li key={name}>
            <Tick checked={now.ok} onChange={(ok) => put({ ...now, ok })}>
              {name}
            </Tick>
            {(hint || photo) && (
              <small className="dim">{[hint, photo && "须拍照"].filter(Boolean).join("，")}</small>
            )}
            <Input
              size="small"
              aria-label={`${name} 说明`}
              placeholder="说明"
              maxLength={50}
              value={now.note ?? ""}
              onChange={(event) => put({ ...now, note: event.target.value })}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** 完成保洁: when it was done, and what is worth saying about it. */
export const CleaningForm = ({
  turnover,
  today,
  onClose,
}: {
  turnover: { id: number; openedDay: Day };
  today: Day;
  onClose: () => void;
}) => (
  <FormDialog
    call={finishTurnover}
    title="完成保洁"
    ok="完成保洁"
    done="已完成保洁"
    params={{ id: turnover.id }}
    initial={{ doneDay: today }}
    fields={[
      { show: () => <p className="sub">自 {turnover.openedDay} 待保洁</p> },
      "doneDay",
      { key: "checklist", title: "保洁清单", wide: true, input: (p) => <ChecklistInput {...p} /> },
      { key: "fileIds", wide: true, input: (p) => <PicturesInput {...p} most={9} /> },
      "note",
    ]}
    width={560}
    onClose={onClose}
  />
);
