import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { MoneyInput, TextInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { productFees } from "./options.contract.ts";
import { FEE_CYCLES, FEE_WAYS } from "./product.rules.ts";

export type Fee = {
  subjectId: number;
  way: keyof typeof FEE_WAYS;
  amount?: number | null | undefined;
  unitPrice?: string | null | undefined;
  cycle: keyof typeof FEE_CYCLES;
};

const options = (words: Record<string, readonly [string, string]>) =>
  Object.entries(words).map(([value, [label]]) => ({ value, label }));
const UNIT = /^\d{1,8}(\.\d{1,6})?$/;
const right = (fee: Fee) => (fee.way === "amount" ? Number(fee.amount) > 0 : UNIT.test(fee.unitPrice ?? ""));

/** What is charged beside the rent: a fixed amount, or a price for each unit that is used. */
export function FeesInput({ value = [], onChange, disabled }: InputProps<Fee[]>) {
  const { data = [], isLoading } = useQuery(ask(productFees));
  const patch = (i: number, change: Partial<Fee>) => onChange(value.with(i, { ...value[i]!, ...change }));
  const free = data.filter((fee) => !value.some((f) => f.subjectId === fee.id));
  const add = () => onChange([...value, { subjectId: free[0]!.id, way: "amount", cycle: "month" }]);
  return (
    <div className="lines pd__lines">
      {value.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>费用</th>
              <th>方式</th>
              <th>金额 / 单价</th>
              <th>周期</th>
              <th aria-label="移除" />
            </tr>
          </thead>
          <tbody>
            {value.map((fee, i) => (
              <tr key={fee.subjectId}>
                <td>
                  <Select
                    aria-label={`第 ${i + 1} 行费用`}
                    value={fee.subjectId}
                    loading={isLoading}
                    disabled={disabled}
                    options={data
                      .filter((f) => f.id === fee.subjectId || free.includes(f))
                      .map((f) => ({ value: f.id, label: f.name }))}
                    onChange={(subjectId: number) => patch(i, { subjectId })}
                  />
                </td>
                <td>
                  <Select
                    aria-label={`第 ${i + 1} 行方式`}
                    value={fee.way}
                    disabled={disabled}
                    options={options(FEE_WAYS)}
                    onChange={(way: Fee["way"]) => patch(i, { way })}
                  />
                </td>
                <td>
                  <label className="sr" htmlFor={`fee-${i}`}>
                    第 {i + 1} 行{fee.way === "amount" ? "金额" : "单价"}
                  </label>
                  {fee.way === "amount" ? (
                    <MoneyInput
                      id={`fee-${i}`}
                      value={fee.amount ?? undefined}
                      disabled={disabled}
                      onChange={(amount) => patch(i, { amount })}
                    />
                  ) : (
                    <TextInput
                      id={`fee-${i}`}
                      value={fee.unitPrice ?? ""}
                      placeholder="最多六位小数"
                      disabled={disabled}
                      onChange={(unitPrice) => patch(i, { unitPrice: unitPrice?.trim() })}
                    />
                  )}
                </td>
                <td>
                  <Select
                    aria-label={`第 ${i + 1} 行周期`}
                    value={fee.cycle}
                    disabled={disabled}
                    options={options(FEE_CYCLES)}
                    onChange={(cycle: Fee["cycle"]) => patch(i, { cycle })}
                  />
                </td>
                <td className="lines__x">
                  <IconButton
                    icon="trash"
                    size={14}
                    label={`移除第 ${i + 1} 行`}
                    run={() => onChange(value.toSpliced(i, 1))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="lines__add">
        <Button
          size="sm"
          icon="plus"
          why={value.length >= 20 ? "费用最多20项" : free.length ? undefined : "没有更多费用可选"}
          run={add}
        >
          添加费用
        </Button>
      </div>
      {value.some((fee) => !right(fee)) && <p className="form__note">定额请填写金额，单价最多六位小数</p>}
    </div>
  );
}
