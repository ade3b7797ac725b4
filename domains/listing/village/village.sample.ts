import { counter } from "../../../platform/server/database/counter.sample.ts";
import { randomUUID } from "node:crypto";
import { failureIn } from "../../../platform/server/jobs/by-itself.ts";
import { nobody, type Act, type Who } from "../../../platform/server/pipeline/act.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { roomsOf, type RoomGiven } from "../room/divide.rules.ts";
import { createApartments, type NewApartment } from "../apartment/apartment.service.ts";
import { createBuildings, createFloors, createUnits } from "../building/building.service.ts";
import { take } from "../occupancy/occupancy.service.ts";
import { createVillage, type NewVillage } from "./village.service.ts";

/** Runs services as a call would: one transaction, one person. */
export async function acting<T>(
  house: TestHouse,
  work: (act: Act) => Promise<T>,
  who: Partial<Who> = {},
): Promise<T> {
  let mine: object = house;
  const answer = await house.database.db.transaction().execute((tx) => {
    mine = tx;
    const as = { ...nobody, enterpriseId: house.enterpriseId, ...who };
    return work(actOf(house, tx, as, { requestId: randomUUID(), ip: "", userAgent: "test" }));
  });
  const failure = failureIn(mine);
  if (failure) throw failure;
  return answer;
}

/** A district for villages to lie in; one per enterprise is enough for most tests. */
export async function aDistrict(house: TestHouse, name = "西湖区"): Promise<number> {
  const { db } = house.database;
  const { enterpriseId } = house;
  const known = await db
    .selectFrom("district")
    .select("id")
    .where("name", "=", name)
    .where("enterpriseId", "=", enterpriseId)
    .executeTakeFirst();
  if (known) return known.id;
  const made = await db
    .insertInto("district")
    .values({ enterpriseId, name, level: "area" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return made.id;
}

const next = counter();
/** A village called 滨江店, 滨江店2 … with a manager of its own. */
export async function aVillage(house: TestHouse, more: Partial<NewVillage> = {}): Promise<number> {
  const n = next();
  const name = n === 1 ? "滨江店" : `滨江店${n}`;
  const managerId = more.managerId ?? (await house.person({ name: "王店长" })).operatorId;
  const districtId = more.districtId ?? (await aDistrict(house));
  return acting(house, (act) =>
    createVillage(act, {
      enterpriseId: house.enterpriseId,
      code: `V${n}`,
      name,
      mode: "centralised",
      address: "滨江区江南大道588号",
      phone: "0571-88886666",
      openingDay: "2024-01-01",
      ...more,
      managerId,
      districtId,
    }),
  );
}

export type BuildingMade = {
  villageId: number;
  buildingId: number;
  unitId: number;
  floorIds: Map<number, number>;
};

/** A building of one unit with floors 1 to 18. */
export async function aBuilding(house: TestHouse, villageId: number, name = "3栋"): Promise<BuildingMade> {
  return acting(house, async (act) => {
    const [buildingId] = await createBuildings(act, [{ villageId, name, floorsAbove: 18, floorsBelow: 2 }]);
    const [unitId] = await createUnits(act, [{ buildingId: buildingId!, name: "1单元" }]);
    const numbers = Array.from({ length: 18 }, (_, i) => i + 1);
    const ids = await createFloors(
      act,
      numbers.map((number) => ({ buildingId: buildingId!, unitId: unitId!, number })),
    );
    return {
      villageId,
      buildingId: buildingId!,
      unitId: unitId!,
      floorIds: new Map(numbers.map((number, i) => [number, ids[i]!])),
    };
  });
}

type FlatGiven = Partial<Omit<NewApartment, "rooms">> & {
  floor?: number;
  rooms?: (string | RoomGiven)[];
  listPrice?: number;
  firstDay?: string;
};
export type FlatMade = { id: number; roomIds: number[] };

/** A flat let as a whole at 3,000.00; with names, a divided one. Answers the flat and its rooms, parents first. */
export const aFlat = async (house: TestHouse, at: BuildingMade, flat: FlatGiven = {}): Promise<FlatMade> =>
  (await someFlats(house, at, [flat]))[0]!;

/** The same of any number of them at once. */
export async function someFlats(
  house: TestHouse,
  at: BuildingMade,
  flats: readonly FlatGiven[],
): Promise<FlatMade[]> {
  const made = flats.map(
    ({
      name = "1203",
      floor = 12,
      rooms = [],
      listPrice = 300_000,
      firstDay = "2024-01-01",
      ...more
    }): NewApartment => {
      const flat = {
        name,
        rentMode: more.rentMode ?? (rooms.length ? "shared" : "whole"),
        wholeToo: more.wholeToo ?? false,
        grossArea: more.grossArea ?? 89.5,
      } as const;
      const given = rooms.map((r) => (typeof r === "string" ? { name: r, area: 15, listPrice } : r));
      return {
        villageId: at.villageId,
        buildingId: at.buildingId,
        unitId: at.unitId,
        floorId: at.floorIds.get(floor)!,
        bedrooms: 2,
        halls: 1,
        baths: 1,
        orientation: "南",
        ...more,
        ...flat,
        rooms: roomsOf(
          flat,
          given.length ? given : [{ name, area: flat.grossArea, listPrice }],
          { firstDay },
          { listPrice: listPrice * 2 },
        ),
      };
    },
  );
  return acting(house, (act) => createApartments(act, made));
}

/** A lease on the timeline, with just so much of a contract as it needs. Answers the contract. */
export async function aLease(
  house: TestHouse,
  roomId: number,
  from: string,
  to: string,
): Promise<{ id: number; contractNo: string }> {
  return acting(house, async (act) => {
    const { villageId } = await act.tx
      .selectFrom("room")
      .select("villageId")
      .where("id", "=", roomId)
      .executeTakeFirstOrThrow();
    const [contractNo] = await act.numbers("HT");
    const { id } = await act.tx
      .insertInto("contract")
      .values({ contractNo: contractNo!, kind: "renter", enterpriseId: house.enterpriseId, villageId })
      .returning("id")
      .executeTakeFirstOrThrow();
    await take(act, [{ kind: "lease", roomId, from, to, contractId: id }]);
    return { id, contractNo: contractNo! };
  });
}
