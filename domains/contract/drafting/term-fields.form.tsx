import { Segments } from "../../../platform/console/parts/segments.tsx";
import type { ReactNode } from "react";
import { OneField, type Changes } from "../../../platform/console/form/form-field.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import {
  ChoiceInput,
  DecimalInput,
  FlagInput,
  type InputProps,
  MoneyInput,
  NumberInput,
  TextInput,
} from "../../../platform/console/inputs/inputs.tsx";
import type { Words } from "../../../platform/kernel/field.ts";
import { rateWarning } from "../../finance/setting/late-terms.rules.ts";
import { BASES } from "../schedule/terms.rules.ts";
import { BASIS_WORDS, PRICING_WORDS } from "../terms/terms.contract.ts";
import type { TermsDraft } from "./draft.form.tsx";

/** Inputs of terms whose schema says no kind. */
const takes =
  <T,>(input: (p: InputProps<T>) => ReactNode) =>
  (p: unknown) =>
    input(p as InputProps<T>);
export const decimalIn = (unit?: string) => takes<string>((p) => <DecimalInput {...p} unit={unit} />);
export const moneyIn = (unit = "元") => takes<number>((p) => <MoneyInput {...p} unit={unit} />);
export const numberIn = (unit: string) => takes<number>((p) => <NumberInput {...p} unit={unit} />);
export const wordsIn = (words: Words, more: Partial<InputProps<string>> = {}) =>
  takes<string>((p) => <ChoiceInput {...p} words={words} {...more} />);
export const textIn = (max: number) => takes<string>((p) => <TextInput {...p} max={max} />);
export const flagIn = takes<boolean>((p) => <FlagInput {...p} />);

type Told<V> = readonly [path: string, more?: Changes<V, unknown>] | false;

/** Fields one after the other, each by its path and what is said beside the contract. */
export const Fields = <V,>({ form, of }: { form: FormState<V>; of: readonly Told<V>[] }) =>
  of.map((one) => one && <OneField key={one[0]} form={form} path={one[0]} more={one[1] ?? {}} />);

/** What leaving early costs, and what staying too long does. */
export function LeaveFields({ draft }: { draft: TermsDraft }) {
  const { penaltyRule } = draft.form;
  const ofRest = penaltyRule === "remainingPercent";
  return (
    <Fields
      form={draft}
      of={[
        ["noticeDays", { title: "通知期", input: numberIn("天") }],
        ["penaltyRule"],
        penaltyRule === "months" && ["penaltyMonths", { title: "违约金月数", input: decimalIn("个月租金") }],
        ofRest && ["penaltyPercent", { title: "剩余租金", input: numberIn("%") }],
        ofRest && ["penaltyCapMonths", { title: "封顶", input: decimalIn("个月租金") }],
        ["rentFreeClawback"],
        ["leaveDayCharged", { title: "退房当日计租", input: flagIn }],
        ["holdoverPercent", { title: "到期占用费", input: numberIn("%") }],
      ]}
    />
  );
}

/** The terms that a contract and a store's defaults are written with, each an input over the draft that holds them. */
type Of = { draft: TermsDraft; help?: ReactNode };

const CALENDAR = { start: ["按起租日", "grey"], month: ["自然月", "grey"] } as const;

export function PricingField({ draft: { form, patch }, draft }: Of) {
  const onChange = (code: string | undefined) =>
    patch({
      pricing: code as "month",
      // a price by area counts its days by area, and no other does
      basis: code === "areaDay" ? "area" : form.basis === "area" ? "actual" : form.basis,
    });
  return <Fields form={draft} of={[["pricing", { input: wordsIn(PRICING_WORDS, { onChange }) }]]} />;
}

/** In months of rent or as a sum, as the payment plan chose; `help` says what it comes to. */
export const DepositField = ({ draft, help }: Of) => (
  <Fields
    form={draft}
    of={[
      draft.form.deposit.mode === "months"
        ? ["deposit.months", { title: "押金", help, input: decimalIn("个月") }]
        : ["deposit.amount", { title: "押金", help, input: moneyIn() }],
    ]}
  />
);

export const RoundingField = ({ draft }: Of) => <Fields form={draft} of={[["rentRounding"]]} />;

export const BasisField = ({ draft, help }: Of) => (
  <OneField
    form={draft}
    path="basis"
    more={{ title: "不足整月计费", wide: true, help, input: () => <Bases draft={draft} /> }}
  />
);

/** In the order of the trade; a table of words would put the numbers first. By area only where the rent is by area. */
const Bases = ({ draft: { form, patch } }: Of) => (
  <Segments
    label="不足整月计费"
    items={BASES.filter(
      (basis) => basis !== "area" || form.pricing === "areaDay" || form.basis === "area",
    ).map((basis) => [basis, BASIS_WORDS[basis][0]])}
    on={form.basis}
    onChange={(basis) => patch({ basis })}
  />
);

export const PeriodsField = ({ draft: { form, patch }, draft }: Of) => (
  <OneField
    form={draft}
    path="calendarPeriods"
    more={{
      title: "计费期",
      input: wordsIn(CALENDAR, {
        value: form.calendarPeriods ? "month" : "start",
        onChange: (code) => patch({ calendarPeriods: code === "month" }),
      }),
    }}
  />
);

/** 宽限, 滞纳金 and its limit; a rate beyond what courts uphold is named, not refused. */
export function LateFields({ draft }: Of) {
  const warning = rateWarning(draft.form.lateFeeDailyRate);
  const help = warning && <span className="neg">{warning}</span>;
  return (
    <Fields
      form={draft}
      of={[
        ["graceDays", { title: "宽限", input: numberIn("天") }],
        ["lateFeeDailyRate", { title: "滞纳金", help, input: decimalIn("%/天") }],
        ["lateFeeCapPercent", { title: "滞纳金上限", input: numberIn("% 本金") }],
      ]}
    />
  );
}
