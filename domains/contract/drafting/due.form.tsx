import { Select } from "antd";
import { ChoiceInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import { DUE_WORDS } from "../terms/terms.contract.ts";
import type { TermsDraft } from "./draft.form.tsx";

const MONTHS = [
  { value: -1, label: "上月" },
  { value: 0, label: "当月" },
  { value: 1, label: "次月" },
];

/** When each period falls due, and how soon after signing the first. */
export function DueFields({ draft: { form, patch, errors } }: { draft: TermsDraft }) {
  const { due } = form;
  const set = (more: Partial<typeof due>) => patch({ due: { ...due, ...more } });
  const wrong = errors["due.dueDays"] ?? errors["due.dueDay"] ?? errors["due.dueMonthOffset"];
  const late = errors["due.firstDueDays"];
  return (
    <>
      <div className={`fi fi--wide ${wrong ? "fi--bad" : ""}`}>
        <span className="fi__label fi__label--must">应收日</span>
        <div className="row cf__due">
          <ChoiceInput
            value={due.rule}
            words={DUE_WORDS}
            onChange={(rule) => set({ rule: rule as "advance" })}
          />
          {due.rule === "advance" && (
            <NumberInput
              value={due.dueDays}
              unit="天"
              onChange={(dueDays) => set({ dueDays: dueDays ?? 0 })}
            />
          )}
          {due.rule === "fixedDay" && (
            <>
              <span className="sub">计费期开始</span>
              <Select
                aria-label="月份"
                value={due.dueMonthOffset ?? 0}
                options={MONTHS}
                style={{ width: 76 }}
                onChange={(n) => set({ dueMonthOffset: n as 0 })}
              />
              <NumberInput
                value={due.dueDay ?? 1}
                unit="日"
                onChange={(dueDay) => set({ dueDay: dueDay ?? 1 })}
              />
            </>
          )}
        </div>
        {wrong && <p className="fi__msg">{wrong}</p>}
      </div>
      <div className={`fi ${late ? "fi--bad" : ""}`}>
        <span className="fi__label fi__label--must">首期</span>
        <div className="row cf__due">
          <span className="sub">签约后</span>
          <NumberInput
            value={due.firstDueDays ?? 0}
            unit="天"
            onChange={(firstDueDays) => set({ firstDueDays: firstDueDays ?? 0 })}
          />
        </div>
        {late && <p className="fi__msg">{late}</p>}
      </div>
    </>
  );
}
