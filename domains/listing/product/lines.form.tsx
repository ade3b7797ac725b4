import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import type { ReactNode } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { LineTable } from "../../../platform/console/form/lines.tsx";
import {
  DecimalInput,
  MoneyInput,
  NumberInput,
  type InputProps,
} from "../../../platform/console/inputs/inputs.tsx";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { productFees } from "./product.contract.ts";
import { FEE_CYCLES, FEE_WAYS, PAY_MONTHS, payPlanText, planRent, type PayPlan } from "./product.rules.ts";

const options = <K extends string>(words: Record<K, readonly [string, string]>) =>
  (Object.keys(words) as K[]).map((value) => ({ value, label: words[value][0] }));

/** A cell with a choice, a cell with an input that has its label for readers only. */
const Choice = <V extends string | number>(p: {
  label: string;
  value: V;
  options: { value: V; label: string }[];
  loading?: boolean;
  disabled: boolean | undefined;
  onChange: (next: V) => void;
}) => {
  const { label, ...rest } = p;
  return (
    <td>
      <Select aria-label={label} {...rest} />
    </td>
  );
};
const Labelled = ({ id, label, children }: { id: string; label: ReactNode; children: ReactNode }) => (
  <td>
    <label className="sr" htmlFor={id}>
      {label}
    </label>
    {children}
  </td>
);
const Wrong = ({ children }: { children: ReactNode }) => (
  <p className="form__note" role="alert">
    {children}
  </p>
);

/** Lines of a list in a form: one changed, one removed. */
const linesOf = <L,>(lines: L[], onChange: (next: L[]) => void) => ({
  patch: (i: number, change: Partial<L>) => onChange(lines.with(i, { ...lines[i]!, ...change })),
  out: (i: number) => onChange(lines.toSpliced(i, 1)),
});

export type Fee = {
  subjectId: number;
  way: keyof typeof FEE_WAYS;
  amount?: number | null | undefined;
  unitPrice?: string | null | undefined;
  cycle: keyof typeof FEE_CYCLES;
};

const UNIT = /^\d{1,8}(\.\d{1,6})?$/;
const right = (fee: Fee) => (fee.way === "amount" ? Number(fee.amount) > 0 : UNIT.test(fee.unitPrice ?? ""));

/** What is charged beside the rent: a fixed amount, or a price for each unit that is used. */
export function FeesInput({ value = [], onChange, disabled }: InputProps<Fee[]>) {
  const { data = [], isLoading } = useQuery(ask(productFees));
  const { patch, out } = linesOf(value, onChange);
  const free = data.filter((fee) => !value.some((f) => f.subjectId === fee.id));
  const offered = (fee: Fee) =>
    data
      .filter((f) => f.id === fee.subjectId || free.includes(f))
      .map((f) => ({ value: f.id, label: f.name }));
  return (
    <LineTable
      headless
      className="lines pd__lines"
      lines={value}
      keyOf={(fee) => fee.subjectId}
      heads={["费用", "方式", "金额 / 单价", "周期"]}
      cells={(fee, i) => {
        const own = { disabled, id: `fee-${i}` };
        return (
          <>
            <Choice
              label={`第 ${i + 1} 行费用`}
              value={fee.subjectId}
              loading={isLoading}
              disabled={disabled}
              options={offered(fee)}
              onChange={(subjectId) => patch(i, { subjectId })}
            />
            <Choice
              label={`第 ${i + 1} 行方式`}
              value={fee.way}
              disabled={disabled}
              options={options(FEE_WAYS)}
              onChange={(way) => patch(i, { way })}
            />
            <Labelled id={own.id} label={`第 ${i + 1} 行${fee.way === "amount" ? "金额" : "单价"}`}>
              {fee.way === "amount" ? (
                <MoneyInput
                  {...own}
                  value={fee.amount ?? undefined}
                  onChange={(amount) => patch(i, { amount })}
                />
              ) : (
                <DecimalInput
                  {...own}
                  value={fee.unitPrice ?? ""}
                  placeholder="最多六位小数"
                  onChange={(unitPrice) => patch(i, { unitPrice })}
                />
              )}
            </Labelled>
            <Choice
              label={`第 ${i + 1} 行周期`}
              value={fee.cycle}
              disabled={disabled}
              options={options(FEE_CYCLES)}
              onChange={(cycle) => patch(i, { cycle })}
            />
          </>
        );
      }}
      remove={(_, i) => ({ run: () => out(i) })}
      note={
        value.some((fee) => !right(fee)) && <p className="form__note">定额请填写金额，单价最多六位小数</p>
      }
    >
      <Button
        size="sm"
        icon="plus"
        why={value.length >= 20 ? "费用最多20项" : free.length ? undefined : "没有更多费用可选"}
        run={() => onChange([...value, { subjectId: free[0]!.id, way: "amount", cycle: "month" }])}
      >
        添加费用
      </Button>
    </LineTable>
  );
}

const DEPOSITS = [0, 1, 2, 3].map((n) => ({ value: n, label: n ? `押 ${n} 个月` : "不押" }));
const PAYS = PAY_MONTHS.map((n) => ({ value: n, label: n ? `付 ${n} 个月` : "付全期" }));
const fits = (percent: number) => percent >= -50 && percent <= 50;

/** The ways of paying, with the rent that each results in. */
export function PlansInput({
  value = [],
  onChange,
  disabled,
  listPrice,
}: InputProps<PayPlan[]> & { listPrice: number | undefined }) {
  const { patch, out } = linesOf(value, onChange);
  const choose = (i: number) => onChange(value.map((plan, at) => ({ ...plan, default: at === i })));
  const add = () => {
    const free = PAY_MONTHS.find((n) => !value.some((p) => p.depositMonths === 1 && p.payMonths === n)) ?? 0;
    onChange([
      ...value,
      { depositMonths: 1, payMonths: free, adjustPercent: 0, default: value.length === 0 },
    ]);
  };
  return (
    <LineTable
      className="lines pd__lines"
      lines={value}
      heads={[
        "默认",
        "押金",
        "付款",
        "租金调整",
        <th key="rent" className="num">
          调整后租金
        </th>,
      ]}
      cells={(plan, i) => (
        <>
          <td>
            <Tick
              one="pay-plan-default"
              label={`默认 ${payPlanText(plan)}`}
              checked={plan.default}
              disabled={disabled}
              onChange={() => choose(i)}
            />
          </td>
          <Choice
            label={`第 ${i + 1} 行押金`}
            value={plan.depositMonths}
            disabled={disabled}
            options={DEPOSITS}
            onChange={(depositMonths) => patch(i, { depositMonths })}
          />
          <Choice
            label={`第 ${i + 1} 行付款`}
            value={plan.payMonths}
            disabled={disabled}
            options={PAYS}
            onChange={(payMonths) => patch(i, { payMonths })}
          />
          <Labelled id={`plan-${i}`} label={`${payPlanText(plan)} 租金调整`}>
            <NumberInput
              id={`plan-${i}`}
              unit="%"
              value={plan.adjustPercent}
              disabled={disabled}
              onChange={(next) => patch(i, { adjustPercent: next ?? 0 })}
            />
          </Labelled>
          <td className="num">
            {listPrice && fits(plan.adjustPercent) ? yuan(planRent(listPrice, plan.adjustPercent)) : "—"}
          </td>
        </>
      )}
      remove={(plan, i) => ({
        label: `移除 ${payPlanText(plan)}`,
        why: value.length <= 1 ? "至少保留一种付款方式" : undefined,
        run: () => out(i),
      })}
      note={
        value.some((plan) => !fits(plan.adjustPercent)) && <Wrong>租金调整为 -50 到 50 之间的百分数</Wrong>
      }
    >
      <Button size="sm" icon="plus" why={value.length >= 8 ? "付款方式最多8种" : undefined} run={add}>
        添加付款方式
      </Button>
    </LineTable>
  );
}

/** The stores that a product is for. */
export function StoresInput(p: InputProps<number[]>) {
  const { value, onChange, disabled } = p;
  const { data = [] } = useVillages();
  const all = data.length > 0 && value?.length === data.length;
  return (
    <div className="pd__stores grid gap-4">
      <VillagesInput {...p} placeholder="请选择适用门店" most={1000} />
      <Button
        size="sm"
        why={disabled ? "不能修改" : undefined}
        run={() => onChange(all ? [] : data.map((v) => v.value))}
      >
        {all ? "清空" : "全部"}
      </Button>
    </div>
  );
}

export type StorePrice = { villageId: number; listPrice: number; lowestPrice?: number | null | undefined };

/** Stores whose price differs from that of all others. */
export function VillagePrices({
  value = [],
  onChange,
  disabled,
  villageIds,
  listPrice,
  lowestPrice,
}: InputProps<StorePrice[]> & {
  villageIds: readonly number[];
  listPrice: number | undefined;
  lowestPrice: number | null | undefined;
}) {
  const { data = [] } = useVillages();
  const nameOf = (villageId: number) => data.find((v) => v.value === villageId)?.label ?? `门店 ${villageId}`;
  const free = villageIds.filter((villageId) => !value.some((p) => p.villageId === villageId));
  const { patch, out } = linesOf(value, onChange);
  const seesLowest = may("#601");
  const wrong = value.find(
    (p) => !Number.isInteger(p.listPrice) || (p.lowestPrice != null && !(p.lowestPrice <= p.listPrice)),
  );
  return (
    <LineTable
      headless
      className="lines pd__lines"
      lines={value}
      keyOf={(price) => price.villageId}
      heads={["门店", "标价", seesLowest && "底价"]}
      cells={(price, i) => {
        const name = nameOf(price.villageId);
        const [list, low] = [`vp-list-${price.villageId}`, `vp-low-${price.villageId}`];
        return (
          <>
            <td>{name}</td>
            <Labelled id={list} label={`${name} 标价`}>
              <MoneyInput
                id={list}
                value={price.listPrice}
                disabled={disabled}
                onChange={(next) => patch(i, { listPrice: next ?? Number.NaN })}
              />
            </Labelled>
            {seesLowest && (
              <Labelled id={low} label={`${name} 底价`}>
                <MoneyInput
                  id={low}
                  value={price.lowestPrice ?? undefined}
                  disabled={disabled}
                  onChange={(next) => patch(i, { lowestPrice: next })}
                />
              </Labelled>
            )}
          </>
        );
      }}
      remove={(price, i) => ({ label: `移除 ${nameOf(price.villageId)}`, run: () => out(i) })}
      note={
        wrong && (
          <Wrong>
            {Number.isInteger(wrong.listPrice)
              ? "底价不能高于标价"
              : `请输入${nameOf(wrong.villageId)}的标价`}
          </Wrong>
        )
      }
    >
      <Select
        aria-label="添加门店价格"
        value={null}
        disabled={disabled || !free.length}
        placeholder={villageIds.length ? "添加一个门店的价格" : "请先选择适用门店"}
        style={{ width: 220 }}
        options={free.map((villageId) => ({ value: villageId, label: nameOf(villageId) }))}
        onChange={(next: number | null) => {
          if (next === null) return;
          onChange([
            ...value,
            { villageId: next, listPrice: listPrice ?? Number.NaN, ...(lowestPrice && { lowestPrice }) },
          ]);
        }}
      />
      <span className="dim">其他门店按上面的标价</span>
    </LineTable>
  );
}

/** What a field of `VillagePrices` takes from its form: the prices that hold everywhere else. */
export const besidePrices = (
  p: unknown,
  v: { listPrice?: number | undefined; lowestPrice?: number | null | undefined },
) => ({ ...(p as InputProps<StorePrice[]>), listPrice: v.listPrice, lowestPrice: v.lowestPrice });
