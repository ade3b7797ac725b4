import { minDay, type Day, type Period } from "../../../platform/kernel/day.ts";
import { villagesOf, anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { funnelBySource, funnelOf } from "../../customer/lead/funnel.service.ts";
import { CODES } from "../indicator/figure.rules.ts";
import { ruling } from "../indicator/indicator.queries.ts";
import { ofThem, wanted } from "../indicator/indicator.rules.ts";
import { ageing, expiryOf, addUp, roomDays, type RoomDays } from "../indicator/sources.queries.ts";
import {
  RANKED,
  exportRanking,
  overviewAgeing,
  overviewCards,
  overviewEmpty,
  overviewEnding,
  overviewExpiry,
  overviewFunnel,
  overviewMoved,
  overviewPlaces,
  overviewRanking,
  overviewSeries,
  overviewVacancy,
  overviewWaterfall,
} from "./overview.contract.ts";
import { cardsOf, rankingOf, seriesOf } from "./overview.queries.ts";
import { emptyOf, endingOf, movedOf, movesOf, vacancyOf } from "./records.queries.ts";
import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { livedOf, shareOf } from "../indicator/period.rules.ts";

type Place = {
  id: number;
  name: string;
  district: string;
  city: string;
  lng: string | null;
  lat: string | null;
};

/** Stores with the city that their district lies in: the nearest one above it, else the topmost district. */
const placesIn = async (read: Read, villages: readonly number[]): Promise<Place[]> => {
  const { rows } = await sql<Place>`
    with recursive up as (
      select d.id of, d.id, d.parent_id, d.name, d.level, 0 step from district d
        where d.id in (select district_id from village where id = ${anyOf(villages)})
      union all
      select up.of, p.id, p.parent_id, p.name, p.level, up.step + 1 from up join district p on p.id = up.parent_id
        where up.level <> 'city')
    select v.id, v.name, d.name district, c.name city, v.lng, v.lat
    from village v join district d on d.id = v.district_id
    cross join lateral (select name from up where up.of = v.district_id order by step desc limit 1) c
    where v.id = ${anyOf(villages)} order by v.id`.execute(read.replica);
  return rows;
};

const figuresOf = (rooms: RoomDays, withRent: boolean) => ({
  rooms: rooms.inStock,
  vacant: rooms.lastBase - rooms.lastLet,
  occupancyRate: shareOf(rooms.let, rooms.base),
  ...(withRent && { avgRent: rooms.lastLet ? Math.round(rooms.lastRent / rooms.lastLet) : null }),
});

const coordinate = (text: string | null) => (text === null ? null : Number(text));

async function placesOf(
  read: Read,
  villages: readonly number[],
  period: Period,
  { asOf, withRent }: { asOf: Day; withRent: boolean },
) {
  const lived = livedOf(period, asOf);
  const [places, days] = await Promise.all([
    placesIn(read, villages),
    lived ? roomDays(read, villages, lived) : new Map<number, RoomDays>(),
  ]);
  const known = places.flatMap((place) => {
    const rooms = days.get(place.id);
    return rooms ? [{ ...place, days: rooms }] : [];
  });
  return {
    stores: known.map(({ days: rooms, lng, lat, ...store }) => ({
      ...store,
      lng: coordinate(lng),
      lat: coordinate(lat),
      ...figuresOf(rooms, withRent),
    })),
    cities: [...Map.groupBy(known, (store) => store.city)].map(([name, stores]) => ({
      name,
      villageIds: stores.map((store) => store.id),
      ...figuresOf(addUp(stores.map((store) => store.days)), withRent),
    })),
  };
}

const asOfOf = (read: { today: string }, asOf: string | undefined) => minDay(asOf ?? read.today, read.today);

export default [
  exportList(exportRanking),

  serveRead(overviewCards, async (read, { query }) => {
    const { shown, rules } = await ruling(read);
    const codes = wanted(shown, CODES, query.codes);
    const { against } = query;
    return cardsOf(read, villagesOf(read.who, query.villageIds), query, asOfOf(read, query.asOf), {
      against,
      codes,
      rules,
    });
  }),

  serveRead(overviewSeries, async (read, { query }) => {
    const { shown } = await ruling(read);
    const codes = wanted(shown, CODES, query.codes);
    return seriesOf(read, villagesOf(read.who, query.villageIds), query, asOfOf(read, query.asOf), codes);
  }),

  /** The arrears by age: nothing for whom the arrears are nothing. */
  serveRead(overviewAgeing, async (read, { query }) => {
    wanted((await ruling(read)).shown, CODES, ["arrears"]);
    return ageing(read, villagesOf(read.who, query.villageIds), asOfOf(read, query.asOf));
  }),

  serveRead(overviewExpiry, async (read, { query }) =>
    expiryOf(read, villagesOf(read.who, query.villageIds), asOfOf(read, query.asOf)),
  ),

  serveRead(overviewRanking, async (read, { query }) => {
    const { order = "desc", pageNo, pageSize } = query;
    const { shown, rules } = await ruling(read);
    const codes = wanted(shown, RANKED, query.codes);
    const sort = query.sort ?? codes[0] ?? "rooms";
    // an order tells as much as the figure
    const figure = RANKED.find((code) => code === sort);
    if (figure) wanted(shown, RANKED, [figure]);
    const { rows, whole } = await rankingOf(
      read,
      villagesOf(read.who, query.villageIds),
      query,
      asOfOf(read, query.asOf),
      { codes: figure && !codes.includes(figure) ? [...codes, figure] : codes, rules },
    );
    const sign = order === "asc" ? 1 : -1;
    // what is not known stands last whichever way
    const sorted = rows.toSorted((a, b) => {
      const [x = null, y = null] = [a[sort], b[sort]];
      if (x === null || y === null) return Number(x === null) - Number(y === null);
      const by = typeof x === "string" ? x.localeCompare(String(y), "zh") : x - Number(y);
      return by * sign || a.id - b.id;
    });
    return {
      list: sorted.slice((pageNo - 1) * pageSize, pageNo * pageSize),
      total: rows.length,
      sums: whole,
    };
  }),
  serveRead(overviewVacancy, async (read, { query }) => {
    wanted((await ruling(read)).shown, ["vacant"], ["vacant"]);
    return vacancyOf(read, villagesOf(read.who, query.villageIds), asOfOf(read, query.asOf));
  }),

  serveRead(overviewWaterfall, (read, { query }) =>
    movesOf(read, villagesOf(read.who, query.villageIds), query, asOfOf(read, query.asOf)),
  ),

  serveRead(overviewFunnel, async (read, { query: { villageIds, from, to } }) => {
    // the dashboard counts the leads of the stores, not only those that its reader works on
    const who = { ...read.who, permits: new Set([...read.who.permits, "#1502"]) };
    const villages = [...villagesOf(read.who, villageIds)];
    const asked = { from, to, villageIds: villages };
    const [{ steps }, sources] = await Promise.all([
      funnelOf({ ...read, who }, asked),
      funnelBySource({ ...read, who }, asked),
    ]);
    return {
      sources,
      steps: steps.map(({ step, count, rate }) => ({ step, count, rate })),
      whole: steps.at(-1)?.whole ?? null,
    };
  }),
  /** A map of occupancy rates: nothing for whom the rate is nothing. */
  serveRead(overviewPlaces, async (read, { query }) => {
    const { shown } = await ruling(read);
    wanted(shown, CODES, ["occupancyRate"]);
    return placesOf(read, villagesOf(read.who, query.villageIds), query, {
      asOf: asOfOf(read, query.asOf),
      withRent: ofThem(shown, CODES).includes("avgRent"),
    });
  }),
  serveRead(overviewMoved, async (read, { query }) =>
    movedOf(read, villagesOf(read.who, query.villageIds), query, {
      asOf: asOfOf(read, query.asOf),
      part: query.part,
      page: query,
    }),
  ),
  /** The rooms behind a figure: nothing for whom the figure is nothing. */
  serveRead(overviewEmpty, async (read, { query }) => {
    wanted((await ruling(read)).shown, ["vacant"], ["vacant"]);
    return emptyOf(read, villagesOf(read.who, query.villageIds), asOfOf(read, query.asOf), query);
  }),
  serveRead(overviewEnding, async (read, { query }) =>
    endingOf(read, villagesOf(read.who, query.villageIds), query, {
      asOf: asOfOf(read, query.asOf),
      part: query.part,
      page: query,
    }),
  ),
];
