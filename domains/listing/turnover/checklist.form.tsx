import { Input } from "antd";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { useWords } from "../../../platform/console/inputs/dic.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import "../village/village.css";

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
