import { sql } from "kysely";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { part } from "../../../platform/server/lists/conditions.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { whyTaken } from "./free.queries.ts";
import { roomOptions } from "./options.contract.ts";
import { priceAt } from "./room.service.ts";
import { layoutText, type PriceUnit, type RoomKind } from "./words.rules.ts";

type Row = {
  id: number;
  fullName: string;
  name: string;
  villageId: number;
  buildingName: string;
  unitName: string | null;
  floorName: string;
  floorNumber: number;
  apartmentId: number;
  kind: RoomKind;
  isLeaf: boolean;
  bedrooms: number;
  halls: number;
  baths: number;
  area: string;
  orientation: string;
  capacity: number;
  productId: number | null;
};

export default [
  serveRead(roomOptions, async (read, { query: q }) => {
    if (q.from && q.to && q.to < q.from) throw invalid({ field: "to", msg: "结束日不能早于开始日" });
    const from = q.from ?? read.today;
    const villages = villagesOf(read.who, q.villageId ? [q.villageId] : undefined);
    const { rows } = await sql<Row>`
      select r.id, r.full_name "fullName", r.name, r.village_id "villageId", b.name "buildingName", u.name "unitName",
        f.name "floorName", f.number "floorNumber", r.apartment_id "apartmentId", r.kind, r.is_leaf "isLeaf",
        a.bedrooms, a.halls, a.baths, r.area, coalesce(nullif(r.orientation, ''), a.orientation) orientation,
        r.capacity, r.product_id "productId"
      from room r join apartment a on a.id = r.apartment_id join building b on b.id = a.building_id
      left join unit u on u.id = a.unit_id join floor f on f.id = a.floor_id
      where r.village_id = ${anyOf(villages)}
        and not_retired(r.retired_day, ${from})
        ${q.ids?.length ? sql`and r.id = ${anyOf(q.ids)}` : sql``}
        ${q.buildingId ? sql`and a.building_id = ${q.buildingId}` : sql``}
        ${q.kind ? sql`and r.kind = ${q.kind}` : sql``}
        ${q.keyword ? sql`and ${part("r.full_name", "r.pinyin")(q.keyword)}` : sql``}
      order by r.village_id, r.place, r.id limit ${q.limit}`.execute(read.tx);
    const ids = rows.map((r) => r.id);
    const [why, prices] = await Promise.all([
      whyTaken(read, ids, from, q.from ? (q.to ?? null) : from, q.contractId),
      priceAt(read, ids, from),
    ]);
    const seesLowest = read.who.permits.has("#601");
    return rows
      .map(({ bedrooms, halls, baths, ...row }) => {
        const price = prices.get(row.id);
        return {
          ...row,
          layout: layoutText({ bedrooms, halls, baths }),
          listPrice: price?.listPrice ?? null,
          ...(seesLowest && { lowestPrice: price?.lowestPrice ?? null }),
          priceUnit: (price?.unit ?? null) as PriceUnit | null,
          free: !why.has(row.id),
          why: why.get(row.id) ?? null,
        };
      })
      .filter((row) => q.onlyFree !== "1" || row.free);
  }),
];
