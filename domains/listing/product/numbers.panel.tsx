import { useQuery } from "@tanstack/react-query";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { pathTo, useGo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { OCCUPANCIES } from "../status/status.rules.ts";
import { productDeals, productPrices, productRooms } from "./price.contract.ts";

const ROOMS = "/configuration/ApartmentManage";

/** The price over time as a line, and every price that was set. */
export function PricesPanel({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(productPrices, { params: { id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  const general = data.filter((p) => p.villageId === null).toReversed();
  const today = dayInZone(new Date());
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
            to: (d) =>
              may("9.query") ? pathTo("/contract/RenterContractPage", { id: d.contractId }) : undefined,
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
