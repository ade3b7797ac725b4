import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useCurrent } from "../../../platform/console/form/current.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { ProductOutlook } from "./outlook.panel.tsx";
import { productPrices, setProductPrice } from "./price.contract.ts";
import { product } from "./product.contract.ts";
import { VillagePrices, type StorePrice } from "./villages.form.tsx";
import "./product.css";

const REASON = { key: "reason", title: "调价原因", wide: true, help: "需要审批，2 到 200 个字" } as const;
/** A change without an approval is the job's. */
const told = (change: Reply<typeof setProductPrice>["change"]): string =>
  change
    ? change.examineNo
      ? `已提交审批 ${change.examineNo}，通过后生效`
      : `房间较多，已转后台执行 ${change.number}，完成后通知您`
    : "价格已修改";

/** A price from a day on, starting from the one that holds today. */
export function PriceForm({ id, onClose }: { id: number; onClose: () => void }) {
  const today = useOperator()?.today;
  const [waits, setWaits] = useState(false);
  const { data: record } = useCurrent(ask(product, { params: { id } }));
  const { data: prices } = useCurrent(ask(productPrices, { params: { id } }));
  if (!record || !prices) return null;
  const now = prices.filter((p) => p.current);
  const general = now.find((p) => p.villageId === null) ?? prices.find((p) => p.villageId === null);
  const villagePrices = now.flatMap((p) =>
    p.villageId === null
      ? []
      : [
          {
            villageId: p.villageId,
            listPrice: p.listPrice,
            ...(p.lowestPrice && { lowestPrice: p.lowestPrice }),
          },
        ],
  );
  return (
    <FormDialog
      call={setProductPrice}
      params={{ id }}
      width={640}
      title={`调价 ${record.name}`}
      ok={waits ? "提交审批" : "调价"}
      note={(values) => <ProductOutlook id={id} values={values} onWaits={setWaits} />}
      onDone={({ change }) => toast(told(change))}
      initial={{
        version: record.version,
        villagePrices,
        ...(general && { listPrice: general.listPrice }),
        ...(general?.lowestPrice && { lowestPrice: general.lowestPrice }),
        ...(today && { effectiveDay: today }),
      }}
      fields={[
        "listPrice",
        ...(may("#601") ? (["lowestPrice"] as const) : []),
        { key: "effectiveDay", help: "不早于今天；跟随产品的房间同时变更，已签合同和自有价格的房间不变" },
        ...(waits ? [REASON] : []),
        {
          key: "villagePrices",
          title: "门店另定",
          wide: true,
          input: (p, v) => (
            <VillagePrices
              {...(p as InputProps<StorePrice[]>)}
              villageIds={record.villageIds}
              listPrice={v.listPrice}
              lowestPrice={v.lowestPrice}
            />
          ),
        },
      ]}
      onClose={onClose}
    />
  );
}
