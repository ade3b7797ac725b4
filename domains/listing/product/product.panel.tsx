import { type ReactNode, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction, switchAction } from "../../../platform/console/calls/record-acts.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Picture, PicturesInput } from "../room/pictures.panel.tsx";
import { PRICE_UNITS, ROOM_KINDS } from "../room/words.rules.ts";
import { DealsPanel, PricesPanel, RoomsPanel } from "./numbers.panel.tsx";
import { PriceForm, RoomsForm } from "./rooms.form.tsx";
import {
  addProduct,
  deleteProduct,
  disableProduct,
  editProduct,
  enableProduct,
  product,
  type products,
} from "./product.contract.ts";
import { AddForm, EditOne } from "./product.form.tsx";
import { FEE_CYCLES, PRODUCT_STATES, payPlanText, planRent, undeletable } from "./product.rules.ts";
import "./product.css";

type Product = {
  id: number;
  name: string;
  version: number;
  state: "enabled" | "disabled";
  rooms: number;
  everRooms?: number;
};

/** What can be done with a product, the same in its row and on its own page; and the form that is open for it. */
export function useProductActs(): [(p: Product) => Actions, ReactNode] {
  const act = useAct();
  const [open, setOpen] = useState<{ what: "edit" | "price" | "rooms" | "copy"; product: Product }>();
  const close = () => setOpen(undefined);
  const actsOf = (p: Product): Actions => {
    return [
      { label: "编辑", does: editProduct, run: () => setOpen({ what: "edit", product: p }) },
      { label: "调价", need: "4.edit", run: () => setOpen({ what: "price", product: p }) },
      { label: "关联房间", need: "4.edit", run: () => setOpen({ what: "rooms", product: p }) },
      { label: "复制", does: addProduct, run: () => setOpen({ what: "copy", product: p }) },
      switchAction(act, { enable: enableProduct, disable: disableProduct }, p, {
        ask: { title: `停用 ${p.name}`, body: "停用后不可用于新合同，已有房间保留。", ok: "停用" },
      }),
      deleteAction(act, deleteProduct, p, {
        title: "删除产品",
        body: `确定删除 ${p.name} 吗？`,
        ok: "删除",
        why: undeletable(p.everRooms ?? p.rooms),
      }),
    ];
  };
  const layer = open && (
    <>
      {open.what === "edit" && <EditOne id={open.product.id} onClose={close} />}
      {open.what === "price" && <PriceForm id={open.product.id} onClose={close} />}
      {open.what === "rooms" && <RoomsForm product={open.product} onClose={close} />}
      {open.what === "copy" && <AddForm from={open.product.id} onClose={close} />}
    </>
  );
  return [actsOf, layer];
}

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
        ]}
        log="product"
        slot="product.tabs"
      />
      {layer}
    </>
  );
}

/** A product as a card: its cover, what it is, what it costs and how many rooms of it stand empty. */
export const ProductFace = ({ product: p }: { product: Row<typeof products> }) => (
  <>
    <span className="pd__cover grid dim">
      {p.cover === null ? <Icon name="image" size={20} /> : <Picture id={p.cover} alt={p.name} />}
    </span>
    <span className="pd__face grid gap-2 fs-13">
      <span className="row">
        <b className="grow cut">{p.name}</b>
        <WordTag words={PRODUCT_STATES} code={p.state} />
      </span>
      <span className="sub cut">
        {[ROOM_KINDS[p.kind][0], p.layout, p.area, p.payPlan].filter(Boolean).join(" · ")}
      </span>
      <span className="row">
        <b className="grow">
          {p.listPrice === null ? "—" : `${yuan(p.listPrice)} ${PRICE_UNITS[p.priceUnit][0]}`}
        </b>
        <span>
          {p.rooms.toLocaleString("en-US")} 间，空置 {p.vacant.toLocaleString("en-US")}
        </span>
      </span>
    </span>
  </>
);
