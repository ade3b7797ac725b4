import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useEffect } from "react";
import { Button } from "../../../platform/console/parts/button.tsx";
import { FormFields } from "../../../platform/console/form/form.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import {
  ChoiceInput,
  ManyInput,
  MoneyInput,
  NumberInput,
  type InputProps,
} from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { RecordSelect, VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import { buildings } from "../building/building.contract.ts";
import { PRODUCTS } from "../product/product.contract.ts";
import { BEDROOMS } from "../room/words.rules.ts";
import { OCCUPANCIES } from "../status/status.rules.ts";
import { changeScope, countChange, type PlanForm } from "../price-change/change.contract.ts";

type Props = {
  form: FormState<PlanForm>;
  undone: { number: string; rooms: number } | undefined;
  onFound: (rooms: number | undefined) => void;
};

/** Which rooms: by what they are, or those that were chosen elsewhere. */
export function RoomsStep({ form, undone, onFound }: Props) {
  const { values } = form;
  const villageIds = values.villageIds ?? [];
  const scope = changeScope.safeParse(values);
  const { data, isFetching } = useQuery({
    ...ask(countChange, { body: scope.data ?? { villageIds: [] } }),
    enabled: scope.success && !undone,
    placeholderData: keepPreviousData,
  });
  const rooms = undone ? undone.rooms : scope.success ? data?.rooms : undefined;
  useEffect(() => onFound(rooms), [rooms, onFound]);
  if (undone)
    return (
      <p className="pc__named">
        恢复 {undone.number} 的 <b>{undone.rooms}</b> 间房调整前的价格
      </p>
    );
  if (values.roomIds?.length)
    return (
      <div className="pc__named">
        <span>
          已选 <b>{values.roomIds.length}</b> 间房
        </span>
        <Button run={() => form.set("roomIds", undefined)}>改为按条件选房</Button>
      </div>
    );
  return (
    <>
      <FormFields
        form={form}
        cols={2}
        fields={[
          {
            key: "villageIds",
            must: true,
            input: (p) => (
              <VillagesSelect
                value={p.value ?? []}
                width={320}
                placeholder="请选择门店"
                onChange={(ids) => {
                  p.onChange(ids);
                  form.set("buildingId", undefined);
                }}
              />
            ),
          },
          {
            key: "buildingId",
            title: "楼栋",
            input: (p) => <BuildingInput {...(p as InputProps<number>)} villageIds={villageIds} />,
          },
          {
            key: "productId",
            input: (p) => <RecordSelect {...(p as InputProps<number>)} source={PRODUCTS} />,
          },
          "kind",
          {
            key: "bedrooms",
            title: "户型",
            input: (p) => (
              <ChoiceInput
                {...(p as unknown as InputProps<string>)}
                value={p.value == null ? undefined : String(p.value)}
                words={BEDROOMS}
                clear
                onChange={(code) => p.onChange(code === undefined ? undefined : Number(code))}
              />
            ),
          },
          {
            key: "occupancy",
            title: "入住状态",
            input: (p) => <ManyInput {...(p as unknown as InputProps<string[]>)} words={OCCUPANCIES} />,
          },
          {
            key: "areaFrom",
            title: "面积从",
            input: (p) => <NumberInput {...(p as InputProps<number>)} unit="㎡" />,
          },
          {
            key: "areaTo",
            title: "面积到",
            input: (p) => <NumberInput {...(p as InputProps<number>)} unit="㎡" />,
          },
          { key: "priceFrom", title: "标价从", input: (p) => <MoneyInput {...(p as InputProps<number>)} /> },
          { key: "priceTo", title: "标价到", input: (p) => <MoneyInput {...(p as InputProps<number>)} /> },
          {
            key: "vacantDays",
            title: "空置满",
            input: (p) => <NumberInput {...(p as InputProps<number>)} unit="天" />,
          },
        ]}
      />
      <p className="pc__count" role="status" aria-busy={isFetching}>
        {!villageIds.length ? (
          "先选择门店，再按需要缩小范围"
        ) : rooms === undefined ? (
          "正在查找"
        ) : (
          <>
            符合条件 <b>{rooms.toLocaleString("en-US")}</b> 间
          </>
        )}
      </p>
    </>
  );
}

/** The buildings of the one village that is chosen. */
function BuildingInput({ villageIds, ...p }: InputProps<number> & { villageIds: readonly number[] }) {
  const one = villageIds.length === 1;
  const { data } = useQuery({
    ...ask(buildings, { query: { villageIds: String(villageIds[0] ?? 0), pageSize: 200, sort: "sort" } }),
    enabled: one,
  });
  return (
    <Select
      id={p.id}
      value={p.value ?? null}
      disabled={!one}
      allowClear={CLEARS}
      placeholder={one ? "全部楼栋" : "选择一个门店后可选"}
      showSearch={{ optionFilterProp: "label" }}
      options={(data?.list ?? []).map((b) => ({
        value: b.id,
        label: [b.communityName, b.name].filter(Boolean).join(" "),
      }))}
      onChange={(next: number | null | undefined) => p.onChange(next ?? undefined)}
    />
  );
}
