import { useCurrent } from "../../../platform/console/current.ts";
import { FormDialog } from "../../../platform/console/formdrawer.tsx";
import type { InputProps } from "../../../platform/console/inputs.tsx";
import { useOperator } from "../../../platform/console/operator.ts";
import { may } from "../../../platform/console/permits.ts";
import { ask } from "../../../platform/console/request.ts";
import { productPrices, setProductPrice } from "./price.contract.ts";
import { product } from "./product.contract.ts";
import { VillagePrices, type StorePrice } from "./villages.form.tsx";
import "./product.css";

/** A price from a day on, starting from the one that holds today. */
export function PriceForm({ id, onClose }: { id: number; onClose: () => void }) {
  const today = useOperator()?.today;
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
      ok="调价"
      done="价格已修改"
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
