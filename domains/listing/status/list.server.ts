import { exportList } from "../../../platform/server/export.ts";
import { serveRead } from "../../../platform/server/serve.ts";
import type { RoomKind } from "../room/words.rules.ts";
import { tileOf, vacantDays } from "./board.rules.ts";
import { buildingsOf, cellsOf, dayWithin, villageOf } from "./board.queries.ts";
import { exportRoomStatus, listRoomStatus } from "./list.contract.ts";
import { flagsOf } from "./status.rules.ts";

/** No list of choices is no filter. */
const among = <T>(choices: readonly T[] | undefined, value: T) => !choices?.length || choices.includes(value);

export default [
  serveRead(listRoomStatus, async (read, { query }) => {
    const village = await villageOf(read, query.villageId);
    const day = dayWithin(read, query.day, village.openingDay);
    const buildings = await buildingsOf(read, village.id);
    const places = buildings.map((b) => b.id);
    const [cells, products] = await Promise.all([
      cellsOf(read, village.id, day, places, query.roomIds?.length ? query.roomIds : undefined),
      read.tx.selectFrom("product").select(["id", "name"]).execute(),
    ]);
    const productOf = new Map(products.map((p) => [p.id, p.name]));
    const rows = cells
      .map(tileOf)
      .map((tile) => {
        const building = buildings[tile.building]!;
        return {
          ...tile,
          buildingId: building.id,
          building: [building.community, building.name].filter(Boolean).join(" "),
          unit: building.units.find((u) => u.id === tile.unitId)?.name ?? "",
          floor: building.floors.find((f) => f.id === tile.floorId)?.name ?? "",
          kind: tile.kind as RoomKind,
          product: (tile.productId && productOf.get(tile.productId)) || "",
          flags: flagsOf(tile.flags),
          vacantDays: vacantDays(tile, day),
        };
      })
      .filter(
        (r) =>
          among(query.buildingIds, r.buildingId) &&
          among(query.occ, r.occupancy) &&
          among(query.cond, r.condition) &&
          (!query.flag?.length || query.flag.some((flag) => r.flags.includes(flag))) &&
          (!query.keyword ||
            [r.name, r.partyName ?? "", ...r.tags].some((text) => text.includes(query.keyword!))),
      );
    if (query.order === "desc") rows.reverse();
    const from = (query.pageNo - 1) * query.pageSize;
    return {
      list: query.want === "totals" ? [] : rows.slice(from, from + query.pageSize),
      total: query.want === "rows" ? null : rows.length,
    };
  }),

  exportList(exportRoomStatus),
];
