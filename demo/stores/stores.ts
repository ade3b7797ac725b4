import { pinyin } from "pinyin-pro";
import type { Day } from "../../platform/kernel/day.ts";
import type { Fen } from "../../platform/kernel/fen.ts";
import { fullNameOf, placeKeyOf } from "../../domains/listing/room/place.rules.ts";
import { COMMUNITIES, type Place } from "./places.ts";
import type { Chance } from "../random.ts";
import type { Sink } from "../sink.ts";

/** A leaf that can be let, as the rest of the generator needs it. */
export type DemoRoom = {
  id: number;
  villageId: number;
  fullName: string;
  kind: "whole" | "room" | "bed" | "shop" | "parking";
  area: string;
  listPrice: Fen;
  lowestPrice: Fen;
};
export type Ids = (table: string) => number;

const initials = (text: string) =>
  pinyin(text, { pattern: "first", toneType: "none", separator: "" }).toLowerCase();
const LAYOUTS = [
  { bedrooms: 1, halls: 0, area: 28, factor: 0.86, weight: 5 },
  { bedrooms: 1, halls: 1, area: 39, factor: 1, weight: 6 },
  { bedrooms: 2, halls: 1, area: 57, factor: 1.35, weight: 2 },
] as const;
const ORIENTATIONS = ["南", "东南", "西南", "东", "西", "北"];
const DECORATIONS = ["精装", "简装", "精装"];
const FACILITIES = ["床", "衣柜", "空调", "热水器", "宽带", "洗衣机", "冰箱"];
const PER_FLOOR = 12;

export const roundTo = (fen: number, unit: Fen): Fen => Math.round(fen / unit) * unit;

export type StoreOptions = {
  stores: readonly Place[];
  firstDay: Day;
  enterpriseId: number;
  managers: readonly number[];
};

/** Districts and the stores of a company; the answer is the ids of the stores in their order. */
export async function makeStores(sink: Sink, ids: Ids, o: StoreOptions): Promise<number[]> {
  const cities = new Map<string, number>();
  const areas = new Map<string, number>();
  const stores: number[] = [];
  for (const [i, place] of o.stores.entries()) {
    const { enterpriseId } = o;
    if (!cities.has(place.city)) {
      cities.set(place.city, ids("district"));
      await sink.add("district", {
        id: cities.get(place.city)!,
        enterpriseId,
        parentId: null,
        name: place.city,
        level: "city",
        sort: cities.size,
      });
    }
    const key = `${place.city}${place.area}`;
    if (!areas.has(key)) {
      areas.set(key, ids("district"));
      await sink.add("district", {
        id: areas.get(key)!,
        enterpriseId,
        parentId: cities.get(place.city)!,
        name: place.area,
        level: "area",
        sort: areas.size,
      });
    }
    const id = ids("village");
    stores.push(id);
    await sink.add("village", {
      id,
      enterpriseId,
      code: place.code,
      name: place.name,
      shortName: place.name,
      mode: place.mode,
      districtId: areas.get(key)!,
      address: `${place.city}市${place.address}`,
      lng: place.lng,
      lat: place.lat,
      managerId: o.managers[i % o.managers.length]!,
      phone: `400-${String(820_1000 + i * 17)}`,
      serviceHours: "09:00-21:00",
      openingDay: o.firstDay,
      state: "open",
      pinyin: initials(place.name),
    });
    await sink.add("village_setting", { villageId: id });
  }
  return stores;
}

/** Buildings, floors, flats and rooms of one store until it has `count` leaves. */
export async function makeRooms(
  sink: Sink,
  ids: Ids,
  chance: Chance,
  place: Place,
  villageId: number,
  count: number,
  firstDay: Day,
): Promise<DemoRoom[]> {
  const rooms: DemoRoom[] = [];
  const floors = count > 200 ? 18 : 9;
  for (let b = 1; rooms.length < count; b++) {
    const buildingId = ids("building");
    const scattered = place.mode === "scattered";
    const communityName = scattered ? COMMUNITIES[b % COMMUNITIES.length]! : "";
    const name = scattered ? `${b}幢` : `${b}号楼`;
    await sink.add("building", {
      id: buildingId,
      villageId,
      communityName,
      name,
      address: scattered ? `${place.city}市${place.area}${communityName}${name}` : "",
      floorsAbove: floors,
      elevators: 2,
      builtYear: 2012 + (b % 9),
      sort: b,
    });
    for (let f = 1; f <= floors && rooms.length < count; f++) {
      const floorId = ids("floor");
      await sink.add("floor", { id: floorId, buildingId, unitId: null, number: f, name: `${f}F` });
      for (let n = 1; n <= PER_FLOOR && rooms.length < count; n++) {
        const at = {
          villageId,
          buildingId,
          floorId,
          name: `${String(f).padStart(2, "0")}${String(n).padStart(2, "0")}`,
        };
        const address = {
          village: place.name,
          community: communityName,
          building: name,
          buildingSort: b,
          unit: null,
          unitSort: 0,
          floor: f,
          apartment: at.name,
          rooms: [],
        };
        const shop = f === 1 && n <= 2 && b <= 2;
        rooms.push(
          ...(await makeFlat(sink, ids, chance, place, at, address, shop, count - rooms.length, firstDay)),
        );
      }
    }
  }
  return rooms;
}

type Address = Parameters<typeof placeKeyOf>[0];
type At = { villageId: number; buildingId: number; floorId: number; name: string };

async function makeFlat(
  sink: Sink,
  ids: Ids,
  chance: Chance,
  place: Place,
  at: At,
  address: Address,
  shop: boolean,
  left: number,
  firstDay: Day,
): Promise<DemoRoom[]> {
  const shared = !shop && left >= 3 && chance.yes(place.mode === "scattered" ? 0.6 : 0.06);
  const layout = shared
    ? { bedrooms: 3, halls: 1, area: 92, factor: 1.9 }
    : chance.weighted(LAYOUTS.map((l) => [l, l.weight] as const));
  const apartmentId = ids("apartment");
  const area = (layout.area + chance.int(-30, 60) / 10).toFixed(2);
  const orientation = chance.pick(ORIENTATIONS);
  await sink.add("apartment", {
    id: apartmentId,
    ...at,
    place: placeKeyOf(address),
    unitId: null,
    rentMode: shop ? "shop" : shared ? "shared" : "whole",
    bedrooms: shop ? 0 : layout.bedrooms,
    halls: shop ? 0 : layout.halls,
    baths: 1,
    kitchens: shop ? 0 : 1,
    grossArea: area,
    orientation,
    decoration: chance.pick(DECORATIONS),
    source: place.mode === "scattered" ? "leased" : "own",
  });
  const made: DemoRoom[] = [];
  for (const part of shared ? ["A", "B", "C"] : [""]) {
    const kind = shop ? "shop" : shared ? "room" : "whole";
    const share = shared ? 0.36 : 1;
    const listPrice = roundTo(
      place.rent * 100 * layout.factor * share * (0.94 + chance.next() * 0.16) * (shop ? 2.6 : 1),
      1000,
    );
    const here = { ...address, rooms: shared ? [part] : [] };
    const room: DemoRoom = {
      id: ids("room"),
      villageId: at.villageId,
      fullName: fullNameOf(here),
      kind,
      area: shared ? (Number(area) * 0.22).toFixed(2) : area,
      listPrice,
      lowestPrice: roundTo(listPrice * 0.93, 1000),
    };
    made.push(room);
    await sink.add("room", {
      id: room.id,
      apartmentId,
      villageId: at.villageId,
      kind,
      name: shared ? part : at.name,
      fullName: room.fullName,
      place: placeKeyOf(here),
      pinyin: initials(room.fullName),
      firstDay,
      area: room.area,
      orientation,
      capacity: shared ? 1 : layout.bedrooms + 1,
      facilities: FACILITIES.slice(0, chance.int(4, 7)),
      sort: made.length,
    });
    await sink.add("room_price", {
      roomId: room.id,
      effectiveDay: firstDay,
      listPrice: room.listPrice,
      lowestPrice: room.lowestPrice,
      source: "import",
    });
  }
  return made;
}
