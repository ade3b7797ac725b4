import { OneField } from "../../../platform/console/formfield.tsx";
import { ChoiceInput, MoneyInput, NumberInput, type InputProps } from "../../../platform/console/inputs.tsx";
import { rateWarning } from "../../finance/setting/late-terms.rules.ts";
import { DecimalInput } from "../drafting/decimal.form.tsx";
import type { TermsDraft } from "../drafting/draft.form.tsx";
import { DueFields } from "../drafting/due.form.tsx";
import { LeaveFields } from "../drafting/leave.form.tsx";
import { PayPlans } from "../drafting/pay-plan.form.tsx";
import { BASES } from "../schedule/terms.rules.ts";
import { BASIS_WORDS, PRICING_WORDS, ROUNDING_WORDS } from "../terms/terms.contract.ts";

const CALENDAR = { start: ["按起租日", "grey"], month: ["自然月", "grey"] } as const;
/** In the order of the trade: a table of words would put the numbers first. */
const BASIS = BASES.map((code) => ({ code, text: BASIS_WORDS[code][0] }));

/** The terms that a new contract starts from, with the inputs of the contract form. */
export function DefaultTerms({ draft }: { draft: TermsDraft }) {
  const { form, patch } = draft;
  const warning = rateWarning(form.lateFeeDailyRate);
  return (
    <>
      <h3 className="form__section">
        默认付款与账期<small>新建合同从这里开始，签约时可以改</small>
      </h3>
      <PayPlans draft={draft} />
      <OneField
        form={draft}
        path="pricing"
        more={{
          input: (p) => (
            <ChoiceInput
              {...(p as InputProps<string>)}
              words={PRICING_WORDS}
              onChange={(code) =>
                patch({
                  pricing: code as "month",
                  basis: code === "areaDay" ? "area" : form.basis === "area" ? "actual" : form.basis,
                })
              }
            />
          ),
        }}
      />
      {form.deposit.mode === "months" ? (
        <OneField
          form={draft}
          path="deposit.months"
          more={{
            title: "押金",
            input: (p) => <DecimalInput {...(p as InputProps<string>)} unit="个月" />,
          }}
        />
      ) : (
        <OneField
          form={draft}
          path="deposit.amount"
          more={{ title: "押金", input: (p) => <MoneyInput {...(p as InputProps<number>)} /> }}
        />
      )}
      <OneField
        form={draft}
        path="basis"
        more={{
          title: "不足整月计费",
          wide: true,
          input: () => (
            <div className="seg" role="radiogroup" aria-label="不足整月计费">
              {BASIS.map(({ code, text }) => (
                <button
                  key={code}
                  type="button"
                  role="radio"
                  aria-checked={code === form.basis}
                  className={code === form.basis ? "on" : ""}
                  onClick={() => patch({ basis: code })}
                >
                  {text}
                </button>
              ))}
            </div>
          ),
        }}
      />
      <OneField
        form={draft}
        path="rentRounding"
        more={{ input: (p) => <ChoiceInput {...(p as InputProps<string>)} words={ROUNDING_WORDS} /> }}
      />
      <OneField
        form={draft}
        path="calendarPeriods"
        more={{
          title: "账期",
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
      <h3 className="form__section">默认应付日与滞纳金</h3>
      <DueFields draft={draft} />
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
          input: (p) => <DecimalInput {...(p as InputProps<string>)} unit="%/天" />,
          help: warning && <span className="neg">{warning}</span>,
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
      <h3 className="form__section">默认违约与退房</h3>
      <LeaveFields draft={draft} />
      <OneField form={draft} path="policyNote" more={{ wide: true }} />
    </>
  );
}
