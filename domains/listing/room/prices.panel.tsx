import { useQuery } from "@tanstack/react-query";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { roomPrices } from "./price.contract.ts";
import { PricingStrip } from "./pricing.panel.tsx";
import { PRICE_SOURCES, PRICE_UNITS } from "./words.rules.ts";

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
