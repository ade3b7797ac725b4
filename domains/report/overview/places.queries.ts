import { sql } from "kysely";
import type { Day, Period } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { livedOf, shareOf } from "../indicator/period.rules.ts";
import { addUp, roomDays, type RoomDays } from "../indicator/sources.queries.ts";

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

export async function placesOf(
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
