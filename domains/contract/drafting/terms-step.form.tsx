import { decimal, halfUp, ratio, times, yuan } from "../../../platform/kernel/fen.ts";
import { OneField } from "../../../platform/console/form/form-field.tsx";
import { ChoiceInput, MoneyInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { chargeSentence, offeredFor } from "./offered.rules.ts";
import { firstRent } from "../schedule/steps.rules.ts";
import { BILLING_WORDS } from "../contract/contract.contract.ts";
import { DecimalInput, LeaveFields } from "./penalty.form.tsx";
import type { Draft } from "./draft.form.tsx";
import { DueFields } from "./due.form.tsx";
import { FreeRows } from "./free.form.tsx";
import { PayPlans } from "./pay-plan.form.tsx";
import { RiseTable } from "./rise.form.tsx";
import { TurnoverFields } from "./turnover.form.tsx";
import {
  BasisField,
  DepositField,
  LateFields,
  PeriodsField,
  PricingField,
  RoundingField,
} from "./term-fields.form.tsx";

/** Step 3: what is paid, when, how it rises, what is free, and what happens when somebody leaves early. */
export function TermsStep({ draft }: { draft: Draft }) {
  const { form, cards, data } = draft;
  const [room] = form.rooms;
  const main = room && cards.get(room.roomId);
  const perArea = form.pricing === "areaDay";
  const rentOf = (r: (typeof form.rooms)[number]) => {
    const card = cards.get(r.roomId);
    return card ? firstRent(form, { ...r, unitPrice: r.unitPrice ?? null, area: card.area }) : 0;
  };
  const rent = room ? rentOf(room) : 0;
  const together = form.rooms.reduce((sum, r) => sum + rentOf(r), 0);
  const most = data?.config.maxDepositMonths ?? 0;
  const limit = most ? `上限 ${most} 个月` : "";
  const depositHelp =
    form.deposit.mode === "months"
      ? [yuan(held(form.deposit.months, together)), limit].filter(Boolean).join("，")
      : limit && `${limit}租金`;
  const example = chargeSentence(form, main?.area ?? null);
  return (
    <div className="form cf__grid cf__terms">
      <h3 className="form__section">付款与计费期</h3>
      <PayPlans draft={draft} offered={offeredFor(draft)} />
      <PricingField draft={draft} />
      {form.rooms.length > 1 && form.kind !== "renter" ? (
        <div className="fi">
          <span className="fi__label">月租金合计</span>
          <div className="fi__in">
            {yuan(together)} <span className="dim">每间的月租金在“房间与租期”中填写</span>
          </div>
        </div>
      ) : perArea ? (
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
            help:
              main?.lowestPrice == null || !(rent >= 0) ? undefined : (
                <Floor rent={rent} floor={main.lowestPrice} />
              ),
          }}
        />
      )}
      <DepositField draft={draft} help={depositHelp} />
      <RoundingField draft={draft} />
      <BasisField
        draft={draft}
        help={
          example && (
            <span className="eg">
              <Icon name="info" size={14} />
              {example}
            </span>
          )
        }
      />
      <PeriodsField draft={draft} />
      {form.kind === "company" && (
        <OneField
          form={draft}
          path="billPerRoom"
          more={{
            title: "结算方式",
            help: form.billPerRoom ? "每个计费期每间房一张账单" : "每个计费期一张账单，按房间和费用列明细",
            input: (p) => (
              <ChoiceInput
                {...(p as InputProps<string>)}
                value={String(form.billPerRoom ?? false)}
                onChange={(code) => draft.patch({ billPerRoom: code === "true" })}
                words={BILLING_WORDS}
              />
            ),
          }}
        />
      )}
      {form.kind === "merchant" && <TurnoverFields draft={draft} base={rent} />}
      <h3 className="form__section">应收日与滞纳金</h3>
      <DueFields draft={draft} />
      <LateFields draft={draft} />
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

const Floor = ({ rent, floor }: { rent: number; floor: number }) =>
  rent >= floor ? (
    <span className="good">高于底价 {yuan(rent - floor)}</span>
  ) : (
    <span className="neg">低于底价 {yuan(floor - rent)}</span>
  );
