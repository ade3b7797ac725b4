import type { z } from "zod";
import { roomNames, roomNamesOf } from "../../../platform/kernel/texts/names.ts";
import { forbidden, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { createApartments } from "../apartment/apartment.service.ts";
import { countRooms, roomsOf } from "../room/divide.rules.ts";
import { checkHouseWords } from "../dictionary/house.queries.ts";
import { floorName } from "../room/place.rules.ts";
import { isDivided } from "../room/words.rules.ts";
import { generate, previewGenerate, type generateBody } from "./generate.contract.ts";
import { planOf } from "./generate.rules.ts";
import { buildingKey, doorKey, missingOf, structureOf, raise } from "../building/building.service.ts";
import { theRow } from "../../../platform/server/database/row.ts";

type Form = z.output<typeof generateBody>;

/** What the form asks for beyond its own shape. */
async function allowed(read: Read, form: Form): Promise<void> {
  const villageId = inScope(read.who, form.villageId);
  if (form.lowestPrice && !read.who.permits.has("#601")) throw forbidden();
  const wrong = isDivided(form.rentMode) && roomNames(form.roomNames);
  if (wrong) throw invalid({ field: "roomNames", msg: wrong });
  await checkHouseWords(read, form, { villageId });
  const village = await theRow(read, "village", ["mode"], { id: villageId });
  if (village.mode === "scattered" && form.communityName.length < 2)
    throw invalid({ field: "communityName", msg: "小区长度为2到30个字" });
}

/** Lays the plan beside what stands already; refuses floors outside a building that stands. */
async function weigh(read: Read, form: Form) {
  await allowed(read, form);
  const plan = planOf(form);
  const there = await structureOf(read, [form.villageId]);
  const spotOf = (building: string, unit: string | null, floor: number) => ({
    villageId: form.villageId,
    community: form.communityName,
    building,
    unit,
    floor,
  });
  const flats = plan.flatMap((b) =>
    b.units.flatMap((u) =>
      u.floors.flatMap((f) => f.doors.map((door) => ({ spot: spotOf(b.name, u.name, f.number), door }))),
    ),
  );
  const spots = flats.map((f) => f.spot);
  for (const spot of spots) {
    const known = there.buildings.get(buildingKey(spot));
    if (known && (spot.floor > known.floorsAbove || -spot.floor > known.floorsBelow))
      throw invalid({
        field: "floorTo",
        msg: `${spot.building} 共地上 ${known.floorsAbove} 层、地下 ${known.floorsBelow} 层`,
      });
  }
  const isThere = (f: { spot: (typeof spots)[number]; door: string }) =>
    there.doors.has(doorKey(f.spot, f.door));
  const fresh = flats.filter((f) => !isThere(f));
  const missing = missingOf(there, spots);
  const outcome = {
    buildings: missing.buildings.length,
    units: missing.units.length,
    floors: missing.floors.length,
    apartments: fresh.length,
    rooms: fresh.length * countRooms(roomsIn(form, "")),
    skipped: flats.length - fresh.length,
  };
  const existing = flats
    .filter(isThere)
    .map((f) => [f.spot.building, f.spot.unit, f.door].filter(Boolean).join("·"));
  return { plan, there, spots, fresh, existing, outcome };
}

const roomsIn = (form: Form, door: string) =>
  roomsOf(
    { ...form, name: door },
    (isDivided(form.rentMode) ? roomNamesOf(form.roomNames) : [door]).map((name) => ({
      name,
      area: isDivided(form.rentMode) ? (form.roomArea ?? form.grossArea) : form.grossArea,
      ...(form.capacity && { capacity: form.capacity }),
      listPrice: form.listPrice ?? null,
      lowestPrice: form.lowestPrice ?? null,
    })),
    { orientation: form.orientation, ...(form.firstDay && { firstDay: form.firstDay }) },
  );

export default [
  serveRead(previewGenerate, async (read, { body }) => {
    const { plan, there, existing, outcome } = await weigh(read, body);
    const sample = plan.slice(0, 3).map((b) => ({
      name: b.name,
      isNew: !there.buildings.has(
        buildingKey({ villageId: body.villageId, community: body.communityName, building: b.name }),
      ),
      units: b.units.slice(0, 4).map((u) => ({
        name: u.name,
        floors: u.floors.map((f) => ({ name: floorName(f.number), doors: f.doors })),
      })),
    }));
    return { ...outcome, existing: existing.slice(0, 50), sample };
  }),

  serve(generate, async (act, { body: form }) => {
    const { there, spots, fresh, existing, outcome } = await weigh(act, form);
    if (existing.length && form.existing === "refuse")
      throw new Refusal(
        "exists",
        `已存在 ${existing.length} 套房源：${existing.slice(0, 5).join("、")}`,
        409,
        {
          data: existing.slice(0, 50),
        },
      );
    const standing = await raise(act, there, spots, { address: form.address });
    await createApartments(
      act,
      fresh.map(({ spot, door }) => ({
        villageId: form.villageId,
        ...standing(spot),
        name: door,
        rentMode: form.rentMode,
        wholeToo: form.wholeToo && isDivided(form.rentMode),
        bedrooms: form.bedrooms,
        halls: form.halls,
        baths: form.baths,
        kitchens: form.kitchens,
        grossArea: form.grossArea,
        orientation: form.orientation,
        decoration: form.decoration,
        rooms: roomsIn(form, door),
      })),
    );
    await act.note({
      kind: "village",
      recordId: form.villageId,
      villageId: form.villageId,
      action: "批量生成",
      summary: `批量生成：${outcome.buildings} 个楼栋、${outcome.units} 个单元、${outcome.floors} 个楼层、${outcome.apartments} 套房源`,
      after: outcome,
    });
    return outcome;
  }),
];
