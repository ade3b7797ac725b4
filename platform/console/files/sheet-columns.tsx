import { Input, Select } from "antd";
import { CLEARS } from "../inputs/clears.tsx";
import { useId, useState, type CSSProperties } from "react";
import type { Call } from "../../kernel/call.ts";
import type { MappedColumns, SheetMapping } from "../../kernel/fields/sheet-mapping.ts";
import { sendWire } from "../calls/request.ts";
import { Button } from "../parts/button.tsx";

type Props = {
  mapping: SheetMapping;
  /** Takes what is said of the batch. */
  call: Call;
  id: number;
  /** It was checked so. */
  onMapped: () => unknown;
};

/** From which column of a file with headings of its own each field is read: asked before it is checked, changeable after. */
export function SheetColumns(p: Props) {
  const [open, setOpen] = useState(false);
  const { row, confirmed, heads, from } = p.mapping;
  if (!confirmed || open) return <Mapped {...p} onMapped={() => (setOpen(false), p.onMapped())} />;
  return (
    <div className="row gap-4 wrap dim">
      <span>
        表头在第 {row} 行。
        <Unread heads={heads} from={from} />
      </span>
      <Button size="sm" run={() => setOpen(true)}>
        调整列
      </Button>
    </div>
  );
}

const nameOf = ({ at, title }: SheetMapping["heads"][number]) => `${at} ${title || "（无表头）"}`;

function Unread({ heads, from }: Pick<SheetMapping, "heads" | "from">) {
  const read = new Set(Object.values(from));
  const left = heads.filter(({ at }) => !read.has(at));
  return left.length ? `不读取的列：${left.map(nameOf).join("、")}` : "文件的列全部读取";
}

function Mapped({ mapping: { row, heads, columns, ...kept }, call, id, onMapped }: Props) {
  const name = useId();
  const [from, setFrom] = useState<Record<string, string | undefined>>(kept.from);
  const [fixed, setFixed] = useState<Record<string, string | undefined>>(kept.fixed);
  const textOf = (key: string) => (from[key] ? "" : (fixed[key] ?? "").trim());
  const missing = columns.filter(({ key, must }) => must && !from[key] && !textOf(key));
  const body: MappedColumns = {
    columns: columns.flatMap(({ key }) => (from[key] ? [{ key, at: from[key] }] : [])),
    fixed: columns.flatMap(({ key }) => (textOf(key) ? [{ key, text: textOf(key) }] : [])),
  };
  // a column is read once: chosen for another field, it leaves the one before
  const choose = (key: string, at: string | undefined) =>
    setFrom((was) => {
      const others = Object.entries(was).filter(([other, of]) => other !== key && of !== at);
      return { ...Object.fromEntries(others), [key]: at };
    });
  const options = heads.map((head) => ({ value: head.at, label: nameOf(head) }));
  return (
    <section className="stack gap-6" aria-label="列的对应">
      <p className="sub">
        文件的列与模板不同（表头在第 {row} 行），请核对每一项取自哪一列；文件里没有而每行相同的，可以直接填写
      </p>
      <div className="form" style={{ "--cols": 2 } as CSSProperties}>
        {columns.map(({ key, title, must }) => {
          const head = heads.find(({ at }) => at === from[key]);
          const lacks = missing.some((column) => column.key === key);
          return (
            <div className={`fi ${lacks ? "fi--bad" : ""}`} key={key}>
              <label htmlFor={name + key} className={`fi__label ${must ? "fi__label--must" : ""}`}>
                {title}
              </label>
              <div className="fi__in stack gap-2">
                <Select
                  id={name + key}
                  value={from[key] ?? null}
                  allowClear={CLEARS}
                  placeholder="不读取"
                  showSearch={{ optionFilterProp: "label" }}
                  options={options}
                  onChange={(at: string | null) => choose(key, at ?? undefined)}
                />
                {!head && (
                  <Input
                    aria-label={`${title}整表同为`}
                    placeholder="或每行都填"
                    maxLength={100}
                    value={fixed[key] ?? ""}
                    onChange={({ target }) => setFixed((was) => ({ ...was, [key]: target.value }))}
                  />
                )}
                {head && <div className="fi__help dim">{head.samples.join("、") || "没有内容"}</div>}
                {lacks && <div className="fi__help neg">请选择{title}所在的列，或填写</div>}
              </div>
            </div>
          );
        })}
      </div>
      <p className="dim">
        <Unread heads={heads} from={Object.fromEntries(body.columns.map(({ key, at }) => [key, at]))} />
      </p>
      <div className="row">
        <Button
          why={missing.length ? `请选择必填的列：${missing.map((c) => c.title).join("、")}` : undefined}
          run={async () => {
            await sendWire(call, { params: { id }, body });
            await onMapped();
          }}
        >
          按此检查
        </Button>
      </div>
    </section>
  );
}
