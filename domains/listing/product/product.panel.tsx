import { type ReactNode, useState } from "react";
import { deleteAction, switchAction } from "../../../platform/console/calls/record-acts.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Picture, PicturesInput } from "../room/pictures.panel.tsx";
import { contractPage } from "../room/renting.rules.ts";
import { PRICE_UNITS, ROOM_KINDS } from "../room/words.rules.ts";
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
import "../price-change/price.css";
import { useQuery } from "@tanstack/react-query";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import { OCCUPANCIES } from "../status/status.rules.ts";
import { productDeals, productPrices, productRooms } from "./price.contract.ts";

const ROOMS = "/configuration/ApartmentManage";

/** The price over time as a line, and every price that was set. */
export function PricesPanel({ id }: { id: number }) {
  const today = useToday();
  const { data, error, refetch } = useQuery(ask(productPrices, { params: { id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  const general = data.filter((p) => p.villageId === null).toReversed();
  const days = general.map((p) => p.effectiveDay);
  const prices = general.map((p) => p.listPrice);
  // the price in force holds to this day
  if (days.length && days.at(-1)! < today) {
    days.push(today);
    prices.push(prices.at(-1)!);
  }
  return (
    <>
      {general.length > 1 && (
        <Chart
          kind="line"
          title="标价变化"
          height={180}
          stepped
          labels={days}
          series={[{ name: "标价", values: prices, tone: "blue" }]}
          format={(fen) => `${yuan(fen)} 元`}
          axis={(fen) => `${(fen / 100).toLocaleString("en-US")} 元`}
        />
      )}
      <RowTable
        flat
        schema={productPrices.reply}
        rows={data}
        columns={[
          { key: "effectiveDay", show: (p) => `${p.effectiveDay}${p.current ? "（当前）" : ""}` },
          "villageName",
          "listPrice",
          ...(may("#601") ? (["lowestPrice"] as const) : []),
          "createdName",
          "createdAt",
        ]}
        emptyText="还没有价格"
      />
    </>
  );
}

/** How the rooms of the product stand today; a part of the ring opens the list of those rooms. */
export function RoomsPanel({ id }: { id: number }) {
  const go = useGo();
  const { data, error, refetch } = useQuery(ask(productRooms, { params: { id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  const parts = data.byStatus;
  return (
    <>
      {parts.length > 0 && (
        <Chart
          kind="pie"
          title="房间状态"
          height={200}
          labels={parts.map((p) => OCCUPANCIES[p.occupancy][0])}
          series={[{ name: "房间", values: parts.map((p) => p.count) }]}
          tones={parts.map((p) => OCCUPANCIES[p.occupancy][1])}
          middle={`${data.total} 间`}
          format={(n) => `${n} 间`}
          onPick={(_, index) =>
            reach(ROOMS) && go(ROOMS, { view: "room", productId: id, occupancy: parts[index]?.occupancy })
          }
        />
      )}
      <RowTable
        flat
        schema={productRooms.reply.shape.list}
        rows={data.list}
        columns={[
          { key: "fullName", to: (r) => reach(ROOMS, { view: "room", id: r.id }) },
          "listPrice",
          "priceMode",
          "occupancy",
        ]}
        emptyText="还没有关联房间"
      />
      {data.total > data.list.length && <p className="dim">只列出前 {data.list.length} 间</p>}
    </>
  );
}

/** What rooms of the product were let at, against the list price of the day. */
export function DealsPanel({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(productDeals, { params: { id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  return (
    <>
      {data.total > 0 && (
        <MoneyStrip
          items={[
            { title: `平均成交（${data.total} 份）`, fen: data.averageRent },
            { title: "签约时平均标价", fen: data.averageList },
          ]}
        />
      )}
      <RowTable
        flat
        schema={productDeals.reply.shape.list}
        rows={data.list}
        columns={[
          {
            key: "contractNo",
            to: (d) => reach(contractPage(d.contractKind), { id: d.contractId }),
          },
          "roomName",
          "signedOn",
          "monthlyRent",
          "listPrice",
          "difference",
        ]}
        emptyText="近 12 个月没有签约"
      />
      {data.total > data.list.length && <p className="dim">只列出最近 {data.list.length} 份</p>}
    </>
  );
}

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
  const [open, setOpen] = useState<{ what: "edit" | "price" | "rooms" | "copy"; product: Product }>();
  const close = () => setOpen(undefined);
  const actsOf = (p: Product): Actions => {
    return [
      { label: "编辑", does: editProduct, run: () => setOpen({ what: "edit", product: p }) },
      { label: "调价", need: "4.edit", run: () => setOpen({ what: "price", product: p }) },
      { label: "关联房间", need: "4.edit", run: () => setOpen({ what: "rooms", product: p }) },
      { label: "复制", does: addProduct, run: () => setOpen({ what: "copy", product: p }) },
      switchAction({ enable: enableProduct, disable: disableProduct }, p, {
        ask: { title: `停用 ${p.name}`, body: "停用后不可用于新合同，已有房间保留。", ok: "停用" },
      }),
      deleteAction(deleteProduct, p, {
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
