import { Select } from "antd";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { MoneyInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { useVillages } from "../../../platform/console/inputs/source.ts";

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
  const patch = (i: number, change: Partial<StorePrice>) =>
    onChange(value.with(i, { ...value[i]!, ...change }));
  const seesLowest = may("#601");
  const wrong = value.find(
    (p) => !Number.isInteger(p.listPrice) || (p.lowestPrice != null && !(p.lowestPrice <= p.listPrice)),
  );
  return (
    <div className="lines pd__lines">
      {value.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>门店</th>
              <th>标价</th>
              {seesLowest && <th>底价</th>}
              <th aria-label="移除" />
            </tr>
          </thead>
          <tbody>
            {value.map((price, i) => (
              <tr key={price.villageId}>
                <td>{nameOf(price.villageId)}</td>
                <td>
                  <label className="sr" htmlFor={`vp-list-${price.villageId}`}>
                    {nameOf(price.villageId)} 标价
                  </label>
                  <MoneyInput
                    id={`vp-list-${price.villageId}`}
                    value={price.listPrice}
                    disabled={disabled}
                    onChange={(next) => patch(i, { listPrice: next ?? Number.NaN })}
                  />
                </td>
                {seesLowest && (
                  <td>
                    <label className="sr" htmlFor={`vp-low-${price.villageId}`}>
                      {nameOf(price.villageId)} 底价
                    </label>
                    <MoneyInput
                      id={`vp-low-${price.villageId}`}
                      value={price.lowestPrice ?? undefined}
                      disabled={disabled}
                      onChange={(next) => patch(i, { lowestPrice: next })}
                    />
                  </td>
                )}
                <td className="lines__x">
                  <IconButton
                    icon="trash"
                    size={14}
                    label={`移除 ${nameOf(price.villageId)}`}
                    run={() => onChange(value.toSpliced(i, 1))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="lines__add">
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
      </div>
      {wrong && (
        <p className="form__note" role="alert">
          {Number.isInteger(wrong.listPrice) ? "底价不能高于标价" : `请输入${nameOf(wrong.villageId)}的标价`}
        </p>
      )}
    </div>
  );
}
