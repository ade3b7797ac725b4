import { decimal, halfUp, ratio, times, yuan } from "../../../platform/kernel/fen.ts";
import { OneField } from "../../../platform/console/formfield.tsx";
import { ChoiceInput, MoneyInput, NumberInput, type InputProps } from "../../../platform/console/inputs.tsx";
import { Icon } from "../../../platform/console/icons.tsx";
import { chargeSentence } from "./example.rules.ts";
import { BASES } from "../schedule/terms.rules.ts";
import { firstRent } from "../schedule/steps.rules.ts";
import { BASIS_WORDS, PRICING_WORDS, ROUNDING_WORDS } from "../terms/terms.contract.ts";
import { DecimalInput } from "./decimal.form.tsx";
import type { Draft } from "./draft.form.tsx";
import { DueFields } from "./due.form.tsx";
import { FreeRows } from "./free.form.tsx";
import { LeaveFields } from "./leave.form.tsx";
import { PayPlans } from "./pay-plan.form.tsx";
import { RiseTable } from "./rise.form.tsx";

const CALENDAR = { start: ["按起租日", "grey"], month: ["自然月", "grey"] } as const;

/** Step 3: what is paid, when, how it rises, what is free, and what happens when somebody leaves early. */
export function TermsStep({ draft }: { draft: Draft }) {
  const { form, patch, cards, data } = draft;
  const [room] = form.rooms;
  const main = room && cards.get(room.roomId);
  const perArea = form.pricing === "areaDay";
  const rent =
    room && main ? firstRent(form, { ...room, unitPrice: room.unitPrice ?? null, area: main.area }) : 0;
  const most = data?.config.maxDepositMonths ?? 0;
  const example = chargeSentence(form, main?.area ?? null);
  return (
    <div className="form cf__grid cf__terms">
      <h3 className="form__section">付款与账期</h3>
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
      {perArea ? (
        <OneField
          form={draft}
          path="rooms.0.unitPrice"
          more={{
            title: "单价",
            input: (p) => <DecimalInput {...(p as InputProps<string>)} unit="元/㎡·日" />,
            help: rent > 0 ? `月租金 ${yuan(rent)}` : undefined,
          }}
        />
      ) : (
        <OneField
          form={draft}
          path="rooms.0.monthlyRent"
          more={{
            title: "月租金",
            input: (p) => <MoneyInput {...(p as InputProps<number>)} unit="元/月" />,
            help: main?.lowestPrice == null ? undefined : <Floor rent={rent} floor={main.lowestPrice} />,
          }}
        />
      )}
      {form.deposit.mode === "months" ? (
        <OneField
          form={draft}
          path="deposit.months"
          more={{
            title: "押金",
            input: (p) => <DecimalInput {...(p as InputProps<string>)} unit="个月" />,
            help: `${yuan(held(form.deposit.months, rent))}${most ? `，上限 ${most} 个月` : ""}`,
          }}
        />
      ) : (
        <OneField
          form={draft}
          path="deposit.amount"
          more={{
            title: "押金",
            help: most ? `上限 ${most} 个月租金` : undefined,
            input: (p) => <MoneyInput {...(p as InputProps<number>)} />,
          }}
        />
      )}
      <OneField
        form={draft}
        path="rentRounding"
        more={{ input: (p) => <ChoiceInput {...(p as InputProps<string>)} words={ROUNDING_WORDS} /> }}
      />
      <OneField
        form={draft}
        path="basis"
        more={{
          title: "不足整月计费",
          wide: true,
          input: () => <BasisInput draft={draft} />,
          help: example && (
            <span className="eg">
              <Icon name="info" size={14} />
              {example}
            </span>
          ),
        }}
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
      <h3 className="form__section">应付日与滞纳金</h3>
      <DueFields draft={draft} />
      <OneField
        form={draft}
        path="graceDays"
        more={{ title: "宽限", input: (p) => <NumberInput {...(p as InputProps<number>)} unit="天" /> }}
      />
      <OneField
        form={draft}
        path="lateFeeDailyRate"
        more={{ title: "滞纳金", input: (p) => <DecimalInput {...(p as InputProps<string>)} unit="%/天" /> }}
      />
      <OneField
        form={draft}
        path="lateFeeCapPercent"
        more={{ title: "滞纳金上限", input: (p) => <NumberInput {...(p as InputProps<number>)} unit="%" /> }}
      />
      <RiseTable draft={draft} />
      <FreeRows draft={draft} />
      <h3 className="form__section">违约与退房</h3>
      <LeaveFields draft={draft} />
      <OneField form={draft} path="policyNote" more={{ wide: true }} />
    </div>
  );
}

const held = (months: string, rent: number) =>
  /^\d{1,2}(\.\d+)?$/.test(months) && Number.isSafeInteger(rent)
    ? halfUp(times(ratio(rent), decimal(months)))
    : 0;

/** In the order of the trade; a table of words would put the numbers first. */
const BasisInput = ({ draft: { form, patch } }: { draft: Draft }) => (
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

const Floor = ({ rent, floor }: { rent: number; floor: number }) =>
  rent >= floor ? (
    <span className="good">高于底价 {yuan(rent - floor)}</span>
  ) : (
    <span className="neg">低于底价 {yuan(floor - rent)}</span>
  );
