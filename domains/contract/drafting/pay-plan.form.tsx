import { Select } from "antd";
import { useState } from "react";
import { ChoiceInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { CYCLES, type CycleMonths } from "../schedule/terms.rules.ts";
import { PAY_PLANS, type PayChip, chipOf, rentOf } from "../terms/plans.rules.ts";
import { DUE_WORDS } from "../terms/terms.contract.ts";
import { payTextOf } from "../terms/terms.rules.ts";
import type { TermsDraft } from "./draft.form.tsx";

const CYCLE_TEXT: Record<CycleMonths, string> = {
  1: "每月",
  2: "每 2 个月",
  3: "每 3 个月",
  6: "每 6 个月",
  12: "每 12 个月",
  0: "一次付清全部租期",
};

const percentText = (percent: number) => `${percent > 0 ? "+" : "−"}${Math.abs(percent)}%`;

/** What a product offers, with the list price of the room that it counts from. */
type Offered = {
  product: string;
  chips: readonly PayChip[];
  listPrice: Fen | null;
  choose: (chip: PayChip) => void;
};

type PayPlansProps = { draft: TermsDraft; offered?: Offered | undefined };

/** The ways of paying of a product, else 押一付三 and its kin, as chips; anything else by hand. */
export function PayPlans({ draft: { form, patch, errors }, offered }: PayPlansProps) {
  const { deposit, cycleMonths } = form;
  const chips = offered?.chips ?? PAY_PLANS;
  const fits = chipOf(chips, form);
  const [byHand, setByHand] = useState(false);
  const own = byHand || !fits;
  const wrong = errors["cycleMonths"];
  return (
    <div className={`fi fi--wide ${wrong ? "fi--bad" : ""}`}>
      <span className="fi__label fi__label--must">付款方式</span>
      <div>
        <div className="row wrap pick" role="radiogroup" aria-label="付款方式">
          {chips.map((plan) => (
            <button
              key={plan.text}
              type="button"
              role="radio"
              aria-checked={!own && fits === plan}
              className={!own && fits === plan ? "on" : ""}
              onClick={() => {
                setByHand(false);
                if (offered) offered.choose(plan);
                else
                  patch({ deposit: { mode: "months", months: plan.months }, cycleMonths: plan.cycleMonths });
              }}
            >
              {plan.text}
              {plan.percent ? ` ${percentText(plan.percent)}` : ""}
            </button>
          ))}
          <button
            type="button"
            role="radio"
            aria-checked={own}
            className={own ? "on" : ""}
            onClick={() => setByHand(true)}
          >
            自定义
          </button>
        </div>
        {own && (
          <div className="row cf__own">
            <Select
              aria-label="押金方式"
              value={deposit.mode}
              style={{ width: 132 }}
              options={[
                { value: "months", label: "押金按月数" },
                { value: "amount", label: "押金定额" },
              ]}
              onChange={(mode) =>
                patch({
                  deposit:
                    mode === "months"
                      ? { mode, months: "1" }
                      : {
                          mode: "amount",
                          amount: (form.rooms ?? []).reduce((s, r) => s + (r.monthlyRent || 0), 0),
                        },
                })
              }
            />
            <Select
              aria-label="付款周期"
              value={cycleMonths}
              style={{ width: 172 }}
              options={CYCLES.map((value) => ({ value, label: CYCLE_TEXT[value] }))}
              onChange={(next) => patch({ cycleMonths: next })}
            />
            <span className="dim">{payTextOf(form)}</span>
          </div>
        )}
        {offered && (
          <p className="dim">
            {offered.product} 的付款方式
            {fits && !own && offered.listPrice !== null && (
              <>
                ，月租金建议 <b>{yuan(rentOf(offered.listPrice, fits))}</b>，可以修改
              </>
            )}
          </p>
        )}
      </div>
      {wrong && <p className="fi__msg">{wrong}</p>}
    </div>
  );
}

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
            onChange={(rule) =>
              set({
                rule: rule as "advance",
                ...(rule === "fixedDay" && { dueDay: due.dueDay ?? 1 }),
              })
            }
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
