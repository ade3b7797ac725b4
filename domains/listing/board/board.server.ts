import { daysBetween } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { FIELDS, boardChanges, roomBoard, roomCalendar, searchRooms } from "./board.contract.ts";
import { exportRoomStatus, listRoomStatus } from "./list.contract.ts";
import {
  barsOf,
  buildingsOf,
  cellsOf,
  changedRooms,
  lastChange,
  productsOf,
  roomsFor,
  villageOf,
  cellMaker,
  roomsOn,
  type Raw,
} from "./board.queries.ts";
import { dayWithin, kindOfDay } from "../status/overview.queries.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import type { RoomKind } from "../room/words.rules.ts";
import { tileOf, vacantDays } from "./board.rules.ts";
import { finds, floorNumbers, MORE_KEYS, passesMore, sieveOf } from "./sieve.rules.ts";
import { flagsOf } from "../status/status.rules.ts";

/** The longest span of a calendar. */
const QUARTER = 92;

const within = (from: string, to: string) => {
  const days = daysBetween(from, to) + 1;
  if (days < 1) throw invalid({ field: "to", msg: "结束日不能早于开始日" });
  if (days > QUARTER) throw invalid({ field: "to", msg: `一次最多查询 ${QUARTER} 天` });
};

/** No list of choices is no filter. */
const among = <T>(choices: readonly T[] | undefined, value: T) => !choices?.length || choices.includes(value);

const titleOf = (b: { community: string; name: string }) => [b.community, b.name].filter(Boolean).join(" ");

/** In walking order, or by a column; what has no value there comes last either way. */
function sortBy<R extends object>(rows: R[], sort: string | undefined, down: boolean): void {
  if (!sort || sort === "place") {
    if (down) rows.reverse();
    return;
  }
  const of = (row: R) => (row as Record<string, string | number | null>)[sort] ?? null;
  rows.sort((x, y) => {
    const [a, b] = [of(x), of(y)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
  });
}

/** What narrows the list. */
const FILTERS = ["buildingIds", "occ", "cond", "flag", "keyword", ...MORE_KEYS] as const;

export default [
  serveRead(roomBoard, async (read, { query }) => {
    const village = await villageOf(read, query.villageId);
    const day = dayWithin(read, query.day, village.openingDay);
    // The sequence first: what changes while the tiles are read is told again by the first question for changes.
    const seq = await lastChange(read, village.id);
    const buildings = await buildingsOf(read, village.id);
    const rows = await cellsOf(
      read,
      village.id,
      day,
      buildings.map((b) => b.id),
    );
    return {
      village,
      day,
      today: read.today,
      kind: kindOfDay(day, read.today),
      seq,
      buildings,
      products: await productsOf(
        read,
        rows.map((row) => row[10]),
      ),
      fields: [...FIELDS],
      rows,
    };
  }),

  serveRead(boardChanges, async (read, { query }) => {
    const village = await villageOf(read, query.villageId);
    const seq = await lastChange(read, village.id);
    const ids = await changedRooms(read, village.id, query.since);
    const buildings = ids.length ? await buildingsOf(read, village.id) : [];
    const rows = ids.length
      ? await cellsOf(
          read,
          village.id,
          read.today,
          buildings.map((b) => b.id),
          ids,
        )
      : [];
    const shown = new Set(rows.map((row) => row[0]));
    return {
      day: read.today,
      seq: Math.max(seq, query.since),
      rows,
      gone: ids.filter((id) => !shown.has(id)),
    };
  }),

  serveRead(searchRooms, async (read, { query }) => {
    await villageOf(read, query.villageId);
    return { roomIds: await roomsFor(read, query.villageId, query.keyword) };
  }),
  serveRead(roomCalendar, async (read, { query }) => {
    const village = await villageOf(read, query.villageId);
    within(query.from, query.to);
    const bars = await barsOf(read, village.id, query.from, query.to);
    return { from: query.from, to: query.to, today: read.today, bars };
  }),

  serveRead(listRoomStatus, async (read, { query }) => {
    const village = await villageOf(read, query.villageId);
    const day = dayWithin(read, query.day, village.openingDay);
    const buildings = await buildingsOf(read, village.id);
    const places = buildings.map((b) => b.id);
    const raws = await roomsOn(read, village.id, day, query.roomIds?.length ? query.roomIds : undefined);
    const cellOf = cellMaker(read, places);
    const tilesOf = (some: readonly Raw[]) => some.map((raw) => tileOf(cellOf(raw)));
    const from = (query.pageNo - 1) * query.pageSize;
    const to = query.want === "totals" ? from : from + query.pageSize;
    const down = query.order === "desc";
    const sieve = sieveOf(new URLSearchParams(MORE_KEYS.flatMap((k) => (query[k] ? [[k, query[k]]] : []))));
    const floorOf = floorNumbers(buildings);
    const found = () => {
      const tiles = tilesOf(raws).filter(
        (tile) =>
          among(query.buildingIds, buildings[tile.building]!.id) &&
          among(query.occ, tile.occupancy) &&
          among(query.cond, tile.condition) &&
          (!query.flag?.length || flagsOf(tile.flags).some((flag) => query.flag!.includes(flag))) &&
          passesMore(tile, sieve, day, floorOf) &&
          (!query.keyword || finds(tile, query.keyword, titleOf(buildings[tile.building]!))),
      );
      const rows = tiles.map((tile) => Object.assign(tile, { vacantDays: vacantDays(tile, day) }));
      sortBy(rows, query.sort, down);
      return { page: rows.slice(from, to), total: rows.length };
    };
    // where nothing is looked for, only the page itself is made
    const whole =
      !FILTERS.some((key) => query[key]?.length) && (query.sort === undefined || query.sort === "place");
    const { page, total } = whole
      ? { page: tilesOf((down ? raws.toReversed() : raws).slice(from, to)), total: raws.length }
      : found();
    const products = await productsOf(
      read,
      page.map((tile) => tile.productId),
    );
    const productOf = new Map(products.map((p) => [p.id, p.name]));
    return {
      list: page.map((tile) => {
        const building = buildings[tile.building]!;
        return {
          ...tile,
          building: titleOf(building),
          unit: building.units.find((u) => u.id === tile.unitId)?.name ?? "",
          floor: building.floors.find((f) => f.id === tile.floorId)?.name ?? "",
          kind: tile.kind as RoomKind,
          product: (tile.productId && productOf.get(tile.productId)) || "",
          flags: flagsOf(tile.flags),
          vacantDays: vacantDays(tile, day),
        };
      }),
      total: query.want === "rows" ? null : total,
    };
  }),

  exportList(exportRoomStatus),
];
