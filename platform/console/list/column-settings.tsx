import { Checkbox, Popover } from "antd";
import { IconButton } from "../parts/button.tsx";
import type { Choice, Ready } from "./columns.tsx";

type Props<R> = {
  columns: readonly { column: Ready<R>; on: boolean }[];
  set: (choice: Choice | undefined) => void;
};

/** Which columns, and in which order. The first stays where it is. */
export function ColumnSet<R>({ columns, set }: Props<R>) {
  const choice = columns.map(({ column, on }) => ({ key: column.key, on }));
  const on = choice.filter((c) => c.on).length;
  const swap = (i: number, k: number) => {
    const next = [...choice];
    [next[i], next[k]] = [next[k]!, next[i]!];
    set(next);
  };
  const content = (
    <div className="colset stack">
      <ul>
        {columns.map(({ column, on: shown }, i) => (
          <li key={column.key}>
            <Checkbox
              checked={shown}
              disabled={i === 0}
              onChange={() => set(choice.map((c, k) => (k === i ? { ...c, on: !c.on } : c)))}
            >
              {column.meta.title}
            </Checkbox>
            <span className="grow" />
            <IconButton
              icon="up"
              size={12}
              label={`${column.meta.title}上移`}
              why={i <= 1 ? "已在最前" : undefined}
              run={() => swap(i, i - 1)}
            />
            <IconButton
              icon="down"
              size={12}
              label={`${column.meta.title}下移`}
              why={i === 0 || i === columns.length - 1 ? "不能再下移" : undefined}
              run={() => swap(i, i + 1)}
            />
          </li>
        ))}
      </ul>
      <div className="colset__foot">
        <span className="dim">
          已显示 {on} 列，共 {choice.length} 列
        </span>
        <button type="button" className="linkish" onClick={() => set(undefined)}>
          恢复默认
        </button>
      </div>
    </div>
  );
  return (
    <Popover trigger="click" placement="bottomRight" content={content} title="列设置">
      <span>
        <IconButton icon="columns" label={`列设置，已显示 ${on} 列，共 ${choice.length} 列`} />
      </span>
    </Popover>
  );
}
