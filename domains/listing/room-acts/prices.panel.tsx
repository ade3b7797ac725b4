import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { ask } from "../../../platform/console/calls/request.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { CHANGE_STATES } from "../price-change/words.rules.ts";
import { roomPrices, roomPricing } from "../pricing/room-price.contract.ts";
import { FollowForm } from "./room.form.tsx";
import { PRICE_SOURCES, PRICE_UNITS } from "../room/words.rules.ts";

const CHANGES = "/configuration/BatchAdjustPrice";
const PRODUCTS = "/configuration/Product";

/** Whose price a room has, and the change that is to come or waits for approval. */
export function PricingStrip({ room }: { room: { id: number; fullName: string } }) {
  const [open, setOpen] = useState(false);
  const { data } = useQuery(ask(roomPricing, { params: { id: room.id } }));
  if (!data) return null;
  const { product, pending } = data;
  const own = data.priceMode === "own";
  const to = product && reach(PRODUCTS, { id: product.id });
  const change = pending && reach(CHANGES, { id: pending.id });
  return (
    <div className="rd__pricing row wrap">
      <span>
        {own ? "自有价格" : "跟随产品"}
        {product && <> · {to ? <Link to={to}>{product.name}</Link> : product.name}</>}
      </span>
      {own && product && may("6.edit") && (
        <Button
          size="sm"
          why={pending ? `房间已在调价单 ${pending.number} 中` : undefined}
          run={() => setOpen(true)}
        >
          恢复跟随产品
        </Button>
      )}
      {pending && (
        <span role="status">
          <WordTag words={CHANGE_STATES} code={pending.state} />{" "}
          {change ? <Link to={change}>{pending.number}</Link> : pending.number}，{pending.effectiveDay} 起
          {pending.newList !== null && ` ${yuan(pending.newList)}`}
        </span>
      )}
      {open && <FollowForm room={room} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Every price the room has had and will have, as a line and as a table, and the change that it waits for. */
export function RoomPrices({ room }: { room: { id: number; fullName: string } }) {
  const { data, error, refetch } = useQuery(ask(roomPrices, { params: { id: room.id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={3} />;
  const inTime = data.toSorted((a, b) => a.effectiveDay.localeCompare(b.effectiveDay));
  return (
    <>
      <PricingStrip room={room} />
      {inTime.length > 1 && (
        <Chart
          kind="line"
          title={`${room.fullName} 标价`}
          height={140}
          labels={inTime.map((p) => p.effectiveDay)}
          series={[{ name: "标价", values: inTime.map((p) => p.listPrice), tone: "blue" }]}
          format={yuan}
          axis={(fen) => Math.round(fen / 100).toLocaleString("en-US")}
        />
      )}
      <RowTable
        schema={roomPrices.reply}
        rows={data}
        flat
        emptyText="还没有价格"
        columns={[
          {
            key: "effectiveDay",
            show: (p) => (
              <>
                {p.effectiveDay} {p.current && <StatusTag tone="green">当前</StatusTag>}
              </>
            ),
          },
          "listPrice",
          ...(may("#601") ? (["lowestPrice"] as const) : []),
          // neither is a state that asks for an eye
          { key: "unit", show: (p) => PRICE_UNITS[p.unit][0] },
          { key: "source", show: (p) => PRICE_SOURCES[p.source][0] },
          "createdName",
          "createdAt",
        ]}
      />
    </>
  );
}
