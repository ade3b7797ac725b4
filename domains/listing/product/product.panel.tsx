import { yuan } from "../../../platform/kernel/fen.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { History } from "../../../platform/console/detail/history.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { PRICE_UNITS } from "../room/words.rules.ts";
import { useProductActs } from "./acts.panel.tsx";
import { DealsPanel, PricesPanel, RoomsPanel } from "./numbers.panel.tsx";
import { product } from "./product.contract.ts";
import { FEE_CYCLES, payPlanText, planRent, PRODUCT_STATES } from "./product.rules.ts";
import "./product.css";

const terms = (from: number | null, to: number | null) =>
  from && to ? `${from}-${to} 个月` : from ? `${from} 个月起` : to ? `最长 ${to} 个月` : "—";

/** A product on its own: what it is, its price over time, its rooms and what they were let at. */
export function ProductDrawer({ id }: { id: number }) {
  const [actsOf, layer] = useProductActs();
  return (
    <>
      <Detail
        call={product}
        sent={{ params: { id } }}
        width={960}
        title={(p) => p.name}
        tags={(p) => <WordTag words={PRODUCT_STATES} code={p.state} />}
        strip={(p) => [
          { title: `标价（${PRICE_UNITS[p.priceUnit][0]}）`, fen: p.listPrice },
          ...(may("#601") ? [{ title: "底价", fen: p.lowestPrice ?? null }] : []),
          { title: "平均成交", fen: p.dealAverage },
        ]}
        facts={[
          "code",
          "kind",
          "layout",
          "area",
          { title: "可住人数", show: (p) => `${p.capacity} 人` },
          { title: "租期", show: (p) => terms(p.minTermMonths, p.maxTermMonths) },
          { title: "房间", show: (p) => `${p.rooms} 间，空置 ${p.vacant} 间` },
          "averageArea",
          "priceUnit",
          { key: "villageNames", wide: true },
          {
            title: "付款方式",
            wide: true,
            show: (p) =>
              p.payPlans
                .map(
                  (plan) =>
                    `${payPlanText(plan)}${plan.default ? "（默认）" : ""}${
                      p.listPrice === null ? "" : ` ${yuan(planRent(p.listPrice, plan.adjustPercent))}`
                    }`,
                )
                .join("；"),
          },
          {
            title: "费用",
            wide: true,
            show: (p) =>
              p.fees
                .map(
                  (fee) =>
                    `${fee.name} ${fee.way === "amount" ? `${yuan(fee.amount ?? 0)} 元` : `单价 ${fee.unitPrice} 元`}（${FEE_CYCLES[fee.cycle][0]}）`,
                )
                .join("；") || "—",
          },
          { title: "设施", wide: true, show: (p) => p.facilities.join("、") || "—" },
          { key: "description", wide: true },
        ]}
        actions={(p) => actsOf(p).map((a, i) => a && { ...a, main: i === 0 })}
        tabs={[
          { key: "prices", title: "价格", view: (p) => <PricesPanel id={p.id} /> },
          { key: "rooms", title: "房间", count: (p) => p.rooms, view: (p) => <RoomsPanel id={p.id} /> },
          { key: "deals", title: "近 12 个月签约", view: (p) => <DealsPanel id={p.id} /> },
          {
            key: "pictures",
            title: "图片",
            count: (p) => p.pictures.length,
            view: (p) => <PicturesInput value={p.pictures} onChange={() => undefined} disabled />,
          },
          { key: "log", title: "日志", view: (p) => <History kind="product" id={p.id} /> },
        ]}
        slot="product.tabs"
      />
      {layer}
    </>
  );
}
