import { DayRange } from "../../../platform/console/inputs/days.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { addDays, daysBetween, minDay } from "../../../platform/kernel/day.ts";
import { decimal, halfUp, ratio, times, yuan } from "../../../platform/kernel/fen.ts";
import { BILLING_WORDS } from "../contract/contract.contract.ts";
import { firstRent } from "../schedule/steps.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import type { Draft } from "./draft.form.tsx";
import { chargeSentence, extending, isExtended, offeredFor, withFree } from "./drafting.rules.ts";
import { DueFields, PayPlans } from "./pay-plan.form.tsx";
import { RiseTable } from "./rise.form.tsx";
import {
  BasisField,
  DepositField,
  Fields,
  LateFields,
  LeaveFields,
  PeriodsField,
  PricingField,
  RoundingField,
  decimalIn,
  moneyIn,
  wordsIn,
} from "./term-fields.form.tsx";
import { TurnoverFields } from "./turnover.form.tsx";

type Free = ContractForm["rentFree"][number];
const lengthOf = (free: Free) => daysBetween(free.fromDate, free.toDate) + 1;

/** Days that cost nothing, with the fees that are free too; the term can be made longer by them. */
export function FreeRows({ draft }: { draft: Draft }) {
  const { form, patch, live, errors } = draft;
  const { start, end } = form;
  const fees = [
    ...new Map(
      form.fees
        .filter((f) => f.feeId && f.kind === "recurring")
        .map((f) => [f.feeId, f.name || draft.data?.fees.find((d) => d.feeId === f.feeId)?.name || "费用"]),
    ),
  ];
  const set = (i: number, more: Partial<Free>) =>
    patch(
      withFree(
        form,
        form.rentFree.map((f, k) => (k === i ? { ...f, ...more } : f)),
      ),
    );
  const add = () => {
    const from = form.rentFree.length ? addDays(form.rentFree.at(-1)!.toDate, 1) : start!;
    patch(withFree(form, [...form.rentFree, { fromDate: from, toDate: minDay(addDays(from, 9), end!) }]));
  };
  const days = form.rentFree.reduce((s, f) => s + lengthOf(f), 0);
  return (
    <div className="fi--wide cf__free">
      <div className="cf__head row fs-13">
        <h3>免租期</h3>
        {days > 0 && (
          <span className="dim">
            {days} 天{live.plan ? `，免租 ${yuan(live.plan.totals.forgone)}` : ""}
          </span>
        )}
        <Button size="sm" icon="plus" why={start && end ? undefined : "请先选择租期"} run={add}>
          添加
        </Button>
        {days > 0 && (
          <Tick checked={isExtended(form)} onChange={(on) => patch(extending(form, on))}>
            顺延租期 {days} 天
          </Tick>
        )}
      </div>
      {form.rentFree.map((free, i) => {
        const wrong = errors[`rentFree.${i}.fromDate`] ?? errors[`rentFree.${i}.toDate`];
        return (
          <div key={i} className="free row gap-6 wrap fs-13">
            <DayRange
              value={{ from: free.fromDate, to: free.toDate }}
              onChange={({ from, to }) => from && to && set(i, { fromDate: from, toDate: to })}
            />
            <span className="sub">{lengthOf(free)} 天</span>
            {fees.map(([feeId, name]) => (
              <Tick
                key={feeId}
                checked={free.feeIds?.includes(feeId) ?? false}
                onChange={(on) =>
                  set(i, {
                    feeIds: on
                      ? [...(free.feeIds ?? []), feeId]
                      : (free.feeIds ?? []).filter((id) => id !== feeId),
                  })
                }
              >
                {name}同免
              </Tick>
            ))}
            <IconButton
              icon="trash"
              size={14}
              label="移除免租期"
              run={() => patch(withFree(form, form.rentFree.toSpliced(i, 1)))}
            />
            {wrong && <p className="form__note">{wrong}</p>}
          </div>
        );
      })}
    </div>
  );
}

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
  const floor = main?.lowestPrice;
  const aboveFloor = floor != null && rent >= 0 ? <Floor rent={rent} floor={floor} /> : undefined;
  const billing = {
    title: "结算方式",
    help: form.billPerRoom ? "每个计费期每间房一张账单" : "每个计费期一张账单，按房间和费用列明细",
    input: wordsIn(BILLING_WORDS, {
      value: String(form.billPerRoom ?? false),
      onChange: (code) => draft.patch({ billPerRoom: code === "true" }),
    }),
  };
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
        <Fields
          form={draft}
          of={[
            [
              "rooms.0.unitPrice",
              {
                title: "单价",
                input: decimalIn("元/㎡·日"),
                help: rent > 0 ? `月租金 ${yuan(rent)}` : undefined,
              },
            ],
          ]}
        />
      ) : (
        <Fields
          form={draft}
          of={[["rooms.0.monthlyRent", { title: "月租金", input: moneyIn("元/月"), help: aboveFloor }]]}
        />
      )}
      <DepositField draft={draft} help={depositHelp} />
      <RoundingField draft={draft} />
      <BasisField
        draft={draft}
        help={
          example && (
            <span className="row gap-3 sub">
              <Icon name="info" size={14} />
              {example}
            </span>
          )
        }
      />
      <PeriodsField draft={draft} />
      {form.kind === "company" && <Fields form={draft} of={[["billPerRoom", billing]]} />}
      {form.kind === "merchant" && <TurnoverFields draft={draft} base={together} />}
      <h3 className="form__section">应收日与滞纳金</h3>
      <DueFields draft={draft} />
      <LateFields draft={draft} />
      <RiseTable draft={draft} />
      <FreeRows draft={draft} />
      <h3 className="form__section">违约与退房</h3>
      <LeaveFields draft={draft} />
      <Fields form={draft} of={[["policyNote", { wide: true }]]} />
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
