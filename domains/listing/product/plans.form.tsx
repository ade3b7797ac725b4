import { Select } from "antd";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { NumberInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { PAY_MONTHS, payPlanText, planRent, type PayPlan } from "./product.rules.ts";

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
  const patch = (i: number, change: Partial<PayPlan>) => onChange(value.with(i, { ...value[i]!, ...change }));
  const choose = (i: number) => onChange(value.map((plan, at) => ({ ...plan, default: at === i })));
  const add = () => {
    const free = PAY_MONTHS.find((n) => !value.some((p) => p.depositMonths === 1 && p.payMonths === n)) ?? 0;
    onChange([
      ...value,
      { depositMonths: 1, payMonths: free, adjustPercent: 0, default: value.length === 0 },
    ]);
  };
  const wrong = value.some((plan) => !fits(plan.adjustPercent));
  return (
    <div className="lines pd__lines">
      <table>
        <thead>
          <tr>
            <th>默认</th>
            <th>押金</th>
            <th>付款</th>
            <th>租金调整</th>
            <th className="num">调整后租金</th>
            <th aria-label="移除" />
          </tr>
        </thead>
        <tbody>
          {value.map((plan, i) => (
            <tr key={i}>
              <td>
                <Tick
                  one="pay-plan-default"
                  label={`默认 ${payPlanText(plan)}`}
                  checked={plan.default}
                  disabled={disabled}
                  onChange={() => choose(i)}
                />
              </td>
              <td>
                <Select
                  aria-label={`第 ${i + 1} 行押金`}
                  value={plan.depositMonths}
                  disabled={disabled}
                  options={DEPOSITS}
                  onChange={(depositMonths: number) => patch(i, { depositMonths })}
                />
              </td>
              <td>
                <Select
                  aria-label={`第 ${i + 1} 行付款`}
                  value={plan.payMonths}
                  disabled={disabled}
                  options={PAYS}
                  onChange={(payMonths: number) => patch(i, { payMonths: payMonths as PayPlan["payMonths"] })}
                />
              </td>
              <td>
                <label className="sr" htmlFor={`plan-${i}`}>
                  {payPlanText(plan)} 租金调整
                </label>
                <NumberInput
                  id={`plan-${i}`}
                  unit="%"
                  value={plan.adjustPercent}
                  disabled={disabled}
                  onChange={(next) => patch(i, { adjustPercent: next ?? 0 })}
                />
              </td>
              <td className="num">
                {listPrice && fits(plan.adjustPercent) ? yuan(planRent(listPrice, plan.adjustPercent)) : "—"}
              </td>
              <td className="lines__x">
                <IconButton
                  icon="trash"
                  size={14}
                  label={`移除 ${payPlanText(plan)}`}
                  why={value.length <= 1 ? "至少保留一种付款方式" : undefined}
                  run={() => onChange(value.toSpliced(i, 1))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="lines__add">
        <Button size="sm" icon="plus" why={value.length >= 8 ? "付款方式最多8种" : undefined} run={add}>
          添加付款方式
        </Button>
      </div>
      {wrong && (
        <p className="form__note" role="alert">
          租金调整为 -50 到 50 之间的百分数
        </p>
      )}
    </div>
  );
}
