import { useQuery } from "@tanstack/react-query";
import { useCurrent } from "../../../platform/console/form/current.ts";
import { DicsInput } from "../../../platform/console/inputs/dic.tsx";
import { FormDrawer, type Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { addProduct, editProduct, product } from "./product.contract.ts";
import type { PayPlan } from "./product.rules.ts";
import { FeesInput, PlansInput, StoresInput, VillagePrices, besidePrices, type Fee } from "./lines.form.tsx";
import "../price-change/price.css";

type Added = Body<typeof addProduct>;

const basic = (edited: boolean): Field<Added>[] => [
  { section: "基本信息" },
  { key: "code", placeholder: "字母、数字、_ 或 -" },
  "name",
  { key: "kind", ...(edited && { help: "有房间后不能修改" }) },
  { key: "priceUnit", ...(edited && { help: "有房间后不能修改" }) },
  { key: "villageIds", wide: true, input: (p) => <StoresInput {...p} /> },
  "bedrooms",
  "halls",
  "baths",
  "kitchens",
  "areaFrom",
  "areaTo",
  "minTermMonths",
  "maxTermMonths",
  "capacity",
];

const price = (): Field<Added>[] => [
  { section: "价格", note: "从生效日起，跟随产品的房间都用这个价格" },
  "listPrice",
  ...(may("#601") ? (["lowestPrice"] as const) : []),
  { key: "effectiveDay", help: "不早于今天" },
  {
    key: "villagePrices",
    title: "门店另定",
    wide: true,
    input: (p, v) => <VillagePrices {...besidePrices(p, v)} villageIds={v.villageIds ?? []} />,
  },
];

const rest = (listPrice?: number): Field<Added>[] => [
  { section: "付款方式", note: "租金按标价上浮或下调" },
  {
    key: "payPlans",
    wide: true,
    input: (p, v) => <PlansInput {...(p as InputProps<PayPlan[]>)} listPrice={v.listPrice ?? listPrice} />,
  },
  { section: "费用、设施与图片" },
  { key: "fees", wide: true, input: (p) => <FeesInput {...(p as InputProps<Fee[]>)} /> },
  {
    key: "facilities",
    wide: true,
    help: "适用门店都提供的设施",
    input: (p, v) => <DicsInput {...p} kind="facility" group="room" villageIds={v.villageIds ?? []} />,
  },
  { key: "description", wide: true },
  { key: "pictures", title: "图片", wide: true, input: (p) => <PicturesInput {...p} /> },
];

const FIRST = {
  kind: "whole",
  priceUnit: "month",
  capacity: 2,
  payPlans: [
    { depositMonths: 1, payMonths: 1, adjustPercent: 0, default: true },
    { depositMonths: 1, payMonths: 3, adjustPercent: 0, default: false },
  ],
} as const;

/** A new product; with `from`, one that begins as a copy of another. */
export function AddForm({ from, onClose }: { from?: number | undefined; onClose: () => void }) {
  const { data } = useQuery({ ...ask(product, { params: { id: from ?? 0 } }), enabled: from !== undefined });
  const [, set] = useAddress();
  const today = useToday();
  if (from !== undefined && !data) return null;
  const copied: Partial<Added> = data
    ? {
        ...(data as unknown as Added),
        code: "",
        name: `${data.name.slice(0, 27)} 副本`.replace(" ", ""),
        villagePrices: [],
        // pictures hang on the product they were uploaded for
        pictures: [],
      }
    : (FIRST as never);
  return (
    <FormDrawer
      call={addProduct}
      title={data ? `复制 ${data.name}` : "新增产品"}
      done="产品已新增"
      cols={2}
      width={880}
      initial={{ ...copied, effectiveDay: today }}
      fields={[...basic(false), ...price(), ...rest()]}
      onClose={onClose}
      onDone={({ id }) => set({ id })}
    />
  );
}

/** Changes a product, from how it stands now. */
export function EditOne({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: record } = useCurrent(ask(product, { params: { id } }));
  if (!record) return null;
  return (
    <FormDrawer
      call={editProduct}
      params={{ id: record.id }}
      title={`编辑 ${record.name}`}
      done="已保存"
      cols={2}
      width={880}
      initial={record as never}
      fields={[...basic(true), ...rest(record.listPrice ?? undefined)] as never}
      onClose={onClose}
    />
  );
}
