import { sql } from "kysely";
import { area as areaFormat } from "../../../platform/kernel/numbers.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { addRecord } from "../../../platform/server/records/plain-record.ts";
import { offered } from "../../system/dic/dic.service.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";
import type { Importer, Place } from "../../system/import/importer.service.ts";
import { eachRow } from "../../system/import/rows.service.ts";
import { unused } from "../room/room.queries.ts";
import { addArea, areaBody } from "./area.contract.ts";
import { PLACE } from "./area.queries.ts";
import { AREA, TAKEN, type AreaBody } from "./area.service.ts";

const WHOLE = "全店";
const columns = async (read: Read): Promise<ImportColumn[]> => [
  { title: "位置", key: "place", note: "与列表相同，如 3栋·1单元·3F；不填为全店" },
  { title: "名称", key: "name", must: true, note: "2到30个字，同一位置不能重复" },
  {
    title: "类型",
    key: "kindDic",
    must: true,
    words: Object.fromEntries(
      (await offered(read, "house", "areaKind")).map((w) => [w.code, [w.name, "grey"]]),
    ),
  },
  { title: "面积", key: "area", note: "平方米，最多两位小数" },
  { title: "容纳人数", key: "capacity", whole: true, note: "1到1000" },
  { title: "开放时间", key: "openHours", note: "如 08:00-22:00" },
  { title: "负责人", key: "managerId", note: "员工姓名；有同名的填手机号" },
  { title: "备注", key: "remark" },
];

/** The places of a store and who may look after one there, by what people call them; what two share leads to neither. */
async function known(read: Read, { villageId, enterpriseId }: Place) {
  const { rows } = await sql<{ name: string; buildingId?: number; floorId?: number; managerId?: number }>`
    select ${PLACE} name, b.id "buildingId", f.id "floorId", null::bigint "managerId" from building b
      join lateral (select id, unit_id, name from floor where building_id = b.id union all select null, null, null) f on true
      left join unit u on u.id = f.unit_id where b.village_id = ${villageId}
    union all select ${WHOLE}, null, null, null
    union all select n.name, null, null, o.id from operator o cross join lateral (values (o.real_name), (o.phone)) n (name)
      where o.enterprise_id = ${enterpriseId} and o.state <> 'disabled'`.execute(read.tx);
  const by = (some: typeof rows) => {
    const named = Map.groupBy(some, ({ name }) => name);
    return (name: unknown) => named.get(String(name)) ?? [];
  };
  return { places: by(rows.filter((r) => !r.managerId)), people: by(rows.filter((r) => r.managerId)) };
}

/** As it is typed in a form, wide digits too; anything else is no number. */
const metresOf = (typed: string): number => {
  const text = typed.normalize("NFKC");
  return areaFormat(text) === undefined ? Number(text) : Number.NaN;
};

/** One area to a row, known by its place and its name. */
const check = eachRow<AreaBody, Place>({
  judge: async (read, where) => {
    const { places, people } = await known(read, where);
    return ({ typed: { area, managerId: manager, place: at = WHOLE, ...rest }, say, as }) => {
      const [spots, keepers] = [places(at), people(manager)];
      const [spot, keeper] = [spots, keepers].map((found) => (found.length === 1 ? found[0] : undefined));
      if (spots.length > 1)
        say("place", `该门店有 ${spots.length} 个“${String(at)}”，请先修改楼层名加以区分`);
      else if (!spot) say("place", `该门店没有“${String(at)}”，请按列表中的位置填写`);
      if (manager && !keeper) say("managerId", `没有在职员工“${String(manager)}”，有同名的请填手机号`);
      const row = as(areaBody, {
        ...{ ...rest, ...spot, name: rest["name"], villageId: where.villageId },
        ...{ area: area === undefined ? area : metresOf(String(area)), managerId: keeper?.managerId },
      });
      return { row, unique: row && { key: "name", value: keyOf(row) } };
    };
  },
  taken: async (read, { villageId }, uniques) => {
    const there = read.tx.selectFrom("publicArea").select(["buildingId", "floorId", "name"]);
    const standing = new Set((await there.where("villageId", "=", villageId).execute()).map(keyOf));
    return new Map(uniques.filter(({ value }) => standing.has(value)).map(({ value }) => [value, TAKEN]));
  },
});
type Spot = Partial<Record<"buildingId" | "floorId", number | null | undefined>> & { name: string };
const keyOf = ({ buildingId, floorId, name }: Spot) => `${buildingId ?? ""}/${floorId ?? ""}/${name}`;

/** 导入公共区域: what a store has of lobbies, corridors and laundries, one to a row. */
export const AREAS: Importer<AreaBody[]> = {
  table: "publicAreaImport",
  letters: "DG",
  needs: "6.import",
  whose: "village",
  things: "公共区域",
  counter: "处",
  columns,
  template: { example: "3栋·1单元·3F　走廊　走廊　42.5" },
  check,
  make: async (act, rows, { id }) => {
    for (const row of rows) await addRecord(act, addArea, AREA, row, { importId: id });
    return rows.length;
  },
  remove: async (act, { id }) => {
    // whoever is just about to put something there comes before or after
    const made = act.tx.selectFrom("publicArea").select("id").where("importId", "=", id).orderBy("id");
    const ids = (await made.forUpdate().execute()).map((area) => area.id);
    await unused(act, "public_area", ids, "该批公共区域", "请先移走");
    await act.tx.deleteFrom("publicArea").where("importId", "=", id).execute();
    return ids.length;
  },
};
