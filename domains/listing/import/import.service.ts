import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import type { Batch } from "../../system/import/batch.service.ts";
import type { Importer, Outcome, Progress } from "../../system/import/importer.service.ts";
import { openStores } from "../../system/import/stores.service.ts";
import { createApartments } from "../apartment/apartment.service.ts";
import { raise } from "../building/building.service.ts";
import { houseWords } from "../dictionary/house.queries.ts";
import { seenProducts } from "../product/product.queries.ts";
import { checkRooms, newApartment, type Plan } from "./check.queries.ts";
import { COLUMNS, RULES, SAMPLES } from "./columns.rules.ts";
import { previewOf } from "./preview.queries.ts";
import type { ImportPreview } from "./preview.rules.ts";
import { takeBack } from "./undo.service.ts";

/** The store that was chosen for the whole file, if any; `villageIds` are those that its rows name, once known. */
type Chosen = { villageId?: number | null; villageIds?: number[] };
type Asked = { villageId?: number };

/** Flats with their rooms and prices; buildings, units and floors that are missing are made. */
export const ROOMS: Importer<Plan, Chosen> = {
  table: "roomImport",
  letters: "DR",
  needs: "6.import",
  whose: "villages",
  listed: ["villageId", "progress", "made"],
  things: "房源",
  counter: "套",
  columns: async () => COLUMNS,
  allColumns: true,
  most: 10_000,
  template: { lists: listsOf, rules: RULES, samples: SAMPLES, frozen: 1, wide: { list: 18, rules: 60 } },
  filled: async (read, { villageId }: Asked) =>
    villageId ? (await openStores(read, villageId)).map((name) => [name]) : [],
  place: async (act, { villageId }: Asked) => ({ villageId: villageId ? inScope(act.who, villageId) : null }),
  sameFile: "always",
  check: checkRooms,
  kept: (plan, { villageId, villageIds }, right) => ({
    preview: right ? JSON.stringify(previewOf(plan!)) : null,
    villageIds: right
      ? [...new Set(plan!.flats.map((flat) => flat.villageId))]
      : (villageIds ?? (villageId ? [villageId] : [])),
  }),
  // "2 / 4 / 36 / 1200 / 1200": buildings, units, floors, flats, rooms
  shown: ({ made, villageName }) => ({
    made: made ? PARTS.map((part) => (made as ImportPreview["made"])[part]).join(" / ") : "",
    villageName: villageName || null,
  }),
  long: { atOnce: 500, anew: true },
  make,
  remove: takeBack,
};
const PARTS = ["buildings", "units", "floors", "apartments", "rooms"] as const;

/** What the drop-downs of the template offer, for one store or for all in scope. */
async function listsOf(read: Read, { villageId }: Asked) {
  const villages = villageId ? [inScope(read.who, villageId)] : read.who.villages;
  const { enterpriseId } = read.who;
  const [buildings, products, districts] = await Promise.all([
    read.tx
      .selectFrom("building")
      .select("name")
      .distinct()
      .where("villageId", "=", anyOf(villages))
      .orderBy("name")
      .limit(2000)
      .execute(),
    read.tx
      .selectFrom("product as d")
      .select("name")
      .where(seenProducts(read, villages))
      .where("enabled", "=", true)
      .orderBy("name")
      .execute(),
    read.tx
      .selectFrom("district")
      .select("name")
      .where("enterpriseId", "=", enterpriseId)
      .where("enabled", "=", true)
      .orderBy("sort")
      .execute(),
  ]);
  const words = await houseWords(read);
  const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
  return {
    门店: await openStores(read, villageId),
    楼栋: names(buildings),
    产品: names(products),
    设施: words.facilities,
    朝向: words.orientations,
    装修: words.decorations,
    产权来源: Object.keys(words.sources),
    区域: names(districts),
  };
}

const STEP = 1_000;

async function make(act: Act, plan: Plan, { id, number }: Batch, progress: Progress): Promise<Outcome> {
  const { flats, there } = plan;
  const { made, villages } = previewOf(plan);
  const spots = flats.map((flat) => flat.spot);
  const standing = await raise(act, there, spots, { importId: id });
  for (let at = 0; at < flats.length; at += STEP) {
    const some = flats.slice(at, at + STEP);
    await createApartments(
      act,
      some.map((flat) => newApartment(flat, standing(flat.spot), id)),
    );
    await progress(Math.min(at + STEP, flats.length) / flats.length);
  }
  await act.note(
    villages.map((village) => ({
      kind: "village",
      recordId: village.id,
      villageId: village.id,
      action: "导入房源",
      summary: `导入 ${village.apartments} 套房源（${number}）`,
    })),
  );
  return {
    count: made.apartments,
    kept: { made: JSON.stringify(made) },
    told: `导入 ${made.apartments} 套房源、${made.rooms} 个房间（${number}）`,
    after: made,
  };
}
