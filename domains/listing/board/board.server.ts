import { daysBetween } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { FIELDS, boardChanges, roomBoard, roomCalendar, searchRooms } from "./board.contract.ts";
import {
  barsOf,
  buildingsOf,
  cellsOf,
  changedRooms,
  lastChange,
  productsOf,
  roomsFor,
  villageOf,
} from "./board.queries.ts";
import { dayWithin, kindOfDay } from "../status/overview.queries.ts";

/** The longest span of a calendar. */
const QUARTER = 92;

const within = (from: string, to: string) => {
  const days = daysBetween(from, to) + 1;
  if (days < 1) throw invalid({ field: "to", msg: "结束日不能早于开始日" });
  if (days > QUARTER) throw invalid({ field: "to", msg: `一次最多查询 ${QUARTER} 天` });
};

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
];
