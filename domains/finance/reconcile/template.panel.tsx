import { Select } from "antd";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ChoiceInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { OptionSelect } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import { guessed } from "../statement/bank.rules.ts";
import { headerOf } from "../statement/cell.rules.ts";
import type { StatementPreview } from "../statement/statement.contract.ts";
import { endTemplate, saveTemplate, type TemplateRow } from "../statement/template.contract.ts";
import {
  type BankField,
  DATE_FORMAT,
  likelyHeader,
  type Template,
  TEMPLATE_FIELDS,
  whyNotTemplate,
  whyTwice,
} from "../statement/template.rules.ts";

type Head = StatementPreview["head"];
type Props = {
  accountId: number;
  head: Head;
  /** The one that is changed. */
  base: TemplateRow | undefined;
  /** What has been tried reads the file without a fault. */
  reads: (draft: Template) => boolean;
  tryOut: (draft: Template) => Promise<void>;
  onKept: (id: number | null) => void;
  onClose: () => void;
};

const namesOf = (head: Head, line: number): string[] => [
  ...new Set((head.find((row) => row.line === line)?.cells ?? []).map(headerOf).filter(Boolean)),
];
/** Names that the line has, out of those that are chosen. */
const within = (of: Template["columns"], names: readonly string[]): Template["columns"] => {
  const { notes = [], ...fields } = of;
  const kept = Object.entries(fields).filter(([, name]) => name && names.includes(name));
  return { date: "", ...Object.fromEntries(kept), notes: notes.filter((name) => names.includes(name)) };
};
const guessedFor = (head: Head, line: number): Template["columns"] => {
  const { fields, notes } = guessed(head.find((row) => row.line === line)?.cells ?? []);
  return { date: "", ...fields, notes };
};

/** Which column of a bank's file is what: chosen from its first lines, tried, and kept under a name. */
export function TemplateForm({ accountId, head, base, reads, tryOut, onKept, onClose }: Props) {
  const act = useAct();
  const start = base ? base.skipLines + 1 : (likelyHeader(head) ?? head[0]?.line ?? 1);
  const [line, setLine] = useState(start);
  const [name, setName] = useState(base?.name ?? "");
  const [dateFormat, setDateFormat] = useState<Template["dateFormat"]>(base?.dateFormat ?? "auto");
  const [columns, setColumns] = useState<Template["columns"]>(() =>
    base ? within(base.columns, namesOf(head, start)) : guessedFor(head, start),
  );
  const names = namesOf(head, line);
  const options = names.map((value) => ({ value, label: value }));
  const draft: Template = { skipLines: Math.max(0, line - 1), dateFormat, columns };
  const why = columns.date ? (whyNotTemplate(draft)?.msg ?? whyTwice(draft)) : "请选择交易日期";
  const set = (field: BankField, value: string | undefined) => {
    const { [field]: _, ...rest } = columns;
    setColumns({
      ...rest,
      ...(value && { [field]: value }),
      date: field === "date" ? (value ?? "") : columns.date,
    });
  };
  const keep = async () => {
    const kept = await act(
      saveTemplate,
      {
        body: {
          merchantAccountId: accountId,
          name: name.trim(),
          version: base && base.name === name.trim() ? base.no : 0,
          ...draft,
          columns: { ...columns, notes: [...(columns.notes ?? [])] },
        },
      },
      { done: "已保存银行模板" },
    );
    if (kept) onKept(kept.id);
  };
  const end = async () => {
    const ask = { title: `停用银行模板 ${base!.name}`, body: "停用后不能再选择；已导入的批次不受影响。" };
    if (await act(endTemplate, { params: { id: base!.id } }, { done: "已停用银行模板", ask })) onKept(null);
  };
  return (
    <section className="box stack gap-6" aria-label="设置列对应" style={{ padding: "var(--space-6)" }}>
      <label className="stack gap-2">
        <span className="sub">表头所在行</span>
        <OptionSelect
          value={line}
          options={head.map((row) => ({
            value: row.line,
            label: `第 ${row.line} 行：${row.cells.filter(Boolean).join("、").slice(0, 80)}`,
          }))}
          onChange={(next) => {
            if (next === undefined) return;
            setLine(next);
            setColumns(guessedFor(head, next));
          }}
        />
      </label>
      <div className="grid gap-4" style={{ gridTemplateColumns: "repeat(auto-fill, minmax(180px, 1fr))" }}>
        {(Object.keys(TEMPLATE_FIELDS) as BankField[]).map((field) => (
          <label key={field} className="stack gap-2">
            <span className="sub">{TEMPLATE_FIELDS[field]}</span>
            <Select
              aria-label={`${TEMPLATE_FIELDS[field]}列`}
              allowClear={CLEARS}
              showSearch
              placeholder="没有此列"
              value={columns[field] || null}
              options={options}
              onChange={(value: string | null) => set(field, value ?? undefined)}
            />
          </label>
        ))}
        <label className="stack gap-2">
          <span className="sub">摘要</span>
          <Select
            aria-label="摘要列"
            mode="multiple"
            maxCount={5}
            placeholder="没有此列"
            value={[...(columns.notes ?? [])]}
            options={options}
            onChange={(notes: string[]) => setColumns({ ...columns, notes })}
          />
        </label>
      </div>
      <div className="row wrap gap-6">
        <span className="sub">日期格式</span>
        <ChoiceInput
          words={DATE_FORMAT}
          value={dateFormat}
          onChange={(next) => setDateFormat((next as Template["dateFormat"]) ?? "auto")}
        />
      </div>
      <label className="stack gap-2">
        <span className="sub">模板名称</span>
        <TextInput
          value={name}
          max={30}
          placeholder="如：招商银行网银"
          onChange={(next) => setName(next ?? "")}
        />
      </label>
      <div className="row wrap between">
        {why ? <span className="bad">{why}</span> : <span className="dim">读取结果和原文在下方逐行对照</span>}
        <span className="row gap-4">
          {base && (
            <Button look="danger" run={end}>
              停用模板
            </Button>
          )}
          <Button run={onClose}>收起</Button>
          <Button why={why} run={() => tryOut(draft)}>
            按此读取
          </Button>
          <Button
            look="main"
            why={
              why ??
              (name.trim().length < 2
                ? "请输入模板名称（2-30个字）"
                : reads(draft)
                  ? undefined
                  : "请先按此读取，核对前 20 行")
            }
            run={keep}
          >
            保存模板
          </Button>
        </span>
      </div>
    </section>
  );
}
