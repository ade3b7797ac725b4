import { Select } from "antd";
import { useState } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { ChoiceInput, MoneyInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import type { ContractForm } from "../terms/terms.contract.ts";
import { DecimalInput } from "./term-fields.form.tsx";
import type { Draft } from "./draft.form.tsx";
import { inputOf } from "./rise.rules.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

type Rule = NonNullable<ContractForm["stepRule"]>;
const MODES = {
  percentCompound: ["复利 %", "grey"],
  percentBase: ["按首年 %", "grey"],
  amount: ["固定金额", "grey"],
} as const;

/** 每 12 个月递增 5%，复利 */
export function ruleText({ every, unit, mode, value }: Rule): string {
  const often = unit === "year" ? `每 ${every} 年` : `每 ${every} 个月`;
  if (mode === "amount") return `${often}递增 ${yuan(Number(value))} 元`;
  return `${often}递增 ${value}%，${mode === "percentBase" ? "按首年" : "复利"}`;
}

/** "Every n months by x": kept as a rule, so that its rows follow the rent and the term. */
export function RiseRule({ draft: { form, patch, cards }, onClose }: { draft: Draft; onClose: () => void }) {
  const [rule, setRule] = useState<Rule>(
    form.stepRule ?? { every: 12, unit: "month", mode: "percentCompound", value: "5" },
  );
  const [wrong, setWrong] = useState<string>();
  const set = (more: Partial<Rule>) => setRule({ ...rule, ...more });
  const write = () => {
    const number = Number(rule.value);
    if (!(rule.every >= 1 && Number.isInteger(rule.every))) return setWrong("请输入正确的间隔");
    if (!rule.value || Number.isNaN(number) || number === 0) return setWrong("请输入递增的比例或金额");
    if (!form.start || !form.end || !form.rooms.length) return setWrong("请先完成房间与租期");
    const next = { ...form, stepRule: rule, steps: [] };
    const made = inputOf(next, (roomId) => cards.get(roomId)?.area ?? null)?.steps.length;
    if (!made) return setWrong("租期内没有到递增日");
    patch({ stepRule: rule, steps: [] });
    onClose();
  };
  return (
    <Dialog
      title="租金递增规则"
      onClose={onClose}
      footer={
        <Foot cancel={onClose}>
          <Button look="main" run={write}>
            生成
          </Button>
        </Foot>
      }
    >
      <div className="form rise">
        <div className="fi">
          <span className="fi__label">每</span>
          <div className="row">
            <NumberInput value={rule.every} onChange={(every) => set({ every: every ?? Number.NaN })} />
            <Select
              aria-label="单位"
              value={rule.unit}
              style={{ width: 92 }}
              options={[
                { value: "month", label: "个月" },
                { value: "year", label: "年" },
              ]}
              onChange={(unit) => set({ unit })}
            />
          </div>
        </div>
        <div className="fi">
          <span className="fi__label">递增方式</span>
          <ChoiceInput
            value={rule.mode}
            words={MODES}
            onChange={(mode) => set({ mode: mode as Rule["mode"], value: mode === "amount" ? "10000" : "5" })}
          />
        </div>
        <div className="fi">
          <span className="fi__label">递增</span>
          {rule.mode === "amount" ? (
            <MoneyInput
              value={Number(rule.value)}
              onChange={(fen) => set({ value: String(fen ?? 0) })}
              unit="元/月"
            />
          ) : (
            <DecimalInput value={rule.value} onChange={(value) => set({ value: value ?? "" })} unit="%" />
          )}
        </div>
        <div className="fi">
          <span className="fi__label">首次递增日</span>
          <div>
            <DayInput
              value={rule.from ?? undefined}
              onChange={(from) => set({ from: from ?? null })}
              placeholder="默认为起租后满一个周期"
            />
          </div>
        </div>
        {wrong && <p className="form__note">{wrong}</p>}
      </div>
    </Dialog>
  );
}
