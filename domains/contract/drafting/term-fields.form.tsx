import { Input } from "antd";
import type { ReactNode } from "react";
import { OneField } from "../../../platform/console/form/form-field.tsx";
import {
  ChoiceInput,
  FlagInput,
  type InputProps,
  MoneyInput,
  NumberInput,
} from "../../../platform/console/inputs/inputs.tsx";
import { rateWarning } from "../../finance/setting/late-terms.rules.ts";
import { BASES } from "../schedule/terms.rules.ts";
import {
  BASIS_WORDS,
  CLAWBACK_WORDS,
  PENALTY_WORDS,
  PRICING_WORDS,
  ROUNDING_WORDS,
} from "../terms/terms.contract.ts";
import type { TermsDraft } from "./draft.form.tsx";

/** A decimal that stays the text it was typed as, so that nothing is lost to binary fractions. */
export const DecimalInput = ({
  value,
  onChange,
  onBlur,
  unit,
  width,
  ...rest
}: InputProps<string> & { unit?: ReactNode; width?: number }) => (
  <Input
    {...rest}
    className="num-in"
    inputMode="decimal"
    autoComplete="off"
    value={value ?? ""}
    suffix={unit && <span className="unit">{unit}</span>}
    onChange={(event) => onChange(event.target.value.replaceAll("。", ".").trim())}
    {...(onBlur && { onBlur })}
    {...(width && { style: { width } })}
  />
);

/** What leaving early costs, and what staying too long does. */
export function LeaveFields({ draft }: { draft: TermsDraft }) {
  const { penaltyRule } = draft.form;
  const number = (unit: string) => (p: InputProps<unknown>) => (
    <NumberInput {...(p as InputProps<number>)} unit={unit} />
  );
  const decimal = (unit: string) => (p: InputProps<unknown>) => (
    <DecimalInput {...(p as InputProps<string>)} unit={unit} />
  );
  return (
    <>
      <OneField form={draft} path="noticeDays" more={{ title: "通知期", input: number("天") }} />
      <OneField
        form={draft}
        path="penaltyRule"
        more={{ input: (p) => <ChoiceInput {...(p as InputProps<string>)} words={PENALTY_WORDS} /> }}
      />
      {penaltyRule === "months" && (
        <OneField
          form={draft}
          path="penaltyMonths"
          more={{ title: "违约金月数", input: decimal("个月租金") }}
        />
      )}
      {penaltyRule === "remainingPercent" && (
        <>
          <OneField form={draft} path="penaltyPercent" more={{ title: "剩余租金", input: number("%") }} />
          <OneField
            form={draft}
            path="penaltyCapMonths"
            more={{ title: "封顶", input: decimal("个月租金") }}
          />
        </>
      )}
      <OneField
        form={draft}
        path="rentFreeClawback"
        more={{ input: (p) => <ChoiceInput {...(p as InputProps<string>)} words={CLAWBACK_WORDS} /> }}
      />
      <OneField
        form={draft}
        path="leaveDayCharged"
        more={{ title: "退房当日计租", input: (p) => <FlagInput {...(p as InputProps<boolean>)} /> }}
      />
      <OneField form={draft} path="holdoverPercent" more={{ title: "到期占用费", input: number("%") }} />
    </>
  );
}

/** The terms that a contract and a store's defaults are written with, each an input over the draft that holds them. */
type Of = { draft: TermsDraft; help?: ReactNode };

const CALENDAR = { start: ["按起租日", "grey"], month: ["自然月", "grey"] } as const;

export const PricingField = ({ draft }: Of) => (
  <OneField
    form={draft}
    path="pricing"
    more={{
      input: (p) => (
        <ChoiceInput
          {...(p as InputProps<string>)}
          words={PRICING_WORDS}
          onChange={(code) =>
            draft.patch({
              pricing: code as "month",
              // a price by area counts its days by area, and no other does
              basis: code === "areaDay" ? "area" : draft.form.basis === "area" ? "actual" : draft.form.basis,
            })
          }
        />
      ),
    }}
  />
);

/** In months of rent or as a sum, as the payment plan chose; `help` says what it comes to. */
export const DepositField = ({ draft, help }: Of) =>
  draft.form.deposit.mode === "months" ? (
    <OneField
      form={draft}
      path="deposit.months"
      more={{
        title: "押金",
        help,
        input: (p) => <DecimalInput {...(p as InputProps<string>)} unit="个月" />,
      }}
    />
  ) : (
    <OneField
      form={draft}
      path="deposit.amount"
      more={{ title: "押金", help, input: (p) => <MoneyInput {...(p as InputProps<number>)} /> }}
    />
  );

export const RoundingField = ({ draft }: Of) => (
  <OneField
    form={draft}
    path="rentRounding"
    more={{ input: (p) => <ChoiceInput {...(p as InputProps<string>)} words={ROUNDING_WORDS} /> }}
  />
);

export const BasisField = ({ draft, help }: Of) => (
  <OneField
    form={draft}
    path="basis"
    more={{ title: "不足整月计费", wide: true, help, input: () => <Bases draft={draft} /> }}
  />
);

/** In the order of the trade; a table of words would put the numbers first. */
const Bases = ({ draft: { form, patch } }: Of) => (
  <div className="seg" role="radiogroup" aria-label="不足整月计费">
    {BASES.map((basis) => (
      <button
        key={basis}
        type="button"
        role="radio"
        aria-checked={basis === form.basis}
        className={basis === form.basis ? "on" : ""}
        onClick={() => patch({ basis })}
      >
        {BASIS_WORDS[basis][0]}
      </button>
    ))}
  </div>
);

export const PeriodsField = ({ draft: { form, patch }, draft }: Of) => (
  <OneField
    form={draft}
    path="calendarPeriods"
    more={{
      title: "计费期",
      input: (p) => (
        <ChoiceInput
          {...(p as unknown as InputProps<string>)}
          words={CALENDAR}
          value={form.calendarPeriods ? "month" : "start"}
          onChange={(code) => patch({ calendarPeriods: code === "month" })}
        />
      ),
    }}
  />
);

/** 宽限, 滞纳金 and its limit; a rate beyond what courts uphold is named, not refused. */
export function LateFields({ draft }: Of) {
  const warning = rateWarning(draft.form.lateFeeDailyRate);
  return (
    <>
      <OneField
        form={draft}
        path="graceDays"
        more={{ title: "宽限", input: (p) => <NumberInput {...(p as InputProps<number>)} unit="天" /> }}
      />
      <OneField
        form={draft}
        path="lateFeeDailyRate"
        more={{
          title: "滞纳金",
          help: warning && <span className="neg">{warning}</span>,
          input: (p) => <DecimalInput {...(p as InputProps<string>)} unit="%/天" />,
        }}
      />
      <OneField
        form={draft}
        path="lateFeeCapPercent"
        more={{
          title: "滞纳金上限",
          input: (p) => <NumberInput {...(p as InputProps<number>)} unit="% 本金" />,
        }}
      />
    </>
  );
}
