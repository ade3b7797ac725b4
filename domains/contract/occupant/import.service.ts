import { sql } from "kysely";
import { z } from "zod";
import type { Day } from "../../../platform/kernel/day.ts";
import * as f from "../../../platform/kernel/field.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { changed } from "../../listing/occupancy/occupancy.service.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";
import type { Importer, Place as StorePlace } from "../../system/import/importer.service.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { admit } from "../contract/contract.queries.ts";
import {
  changeStays,
  forbiddenIn,
  type Newcomer,
  type PersonWish,
  placeOn,
  roomsOf,
} from "./change.service.ts";
import { occupantImport } from "./import.contract.ts";
import { certTypeOf, roomCalled } from "./list.rules.ts";
import { newcomerOf } from "./list.service.ts";
import { newOccupant } from "./occupant.contract.ts";
import { mostAt, placeError } from "./stay.rules.ts";
import { isInForce } from "../contract/contract.rules.ts";

const COLUMNS: readonly ImportColumn[] = [
  { title: "姓名", key: "name", must: true },
  { title: "手机号", key: "phone", must: true, note: "11位手机号" },
  { title: "证件号", key: "certNo", must: true, note: "请把单元格设为文本" },
  { title: "房间", key: "room", must: true, note: "合同内的房间，可只写房号" },
  { title: "入住日", key: "from", must: true, day: true, note: "如 2026-11-20，在房间的租期内" },
  { title: "离开日", key: "to", day: true, note: "最后一天；不填到房间租期结束" },
];
const { name, phone, certNo } = newOccupant.shape;
const line = z.object({
  ...{ name, phone, certNo },
  from: f.dayInput("入住日"),
  to: f.dayInput("离开日").optional(),
});

type Place = StorePlace & { contractId: number };
type Arrival = { day: Day; wish: PersonWish & { newcomer: Newcomer } };
type Days = { from: Day; to: Day | null };
const meet = (a: Days, b: Days) => (b.to === null || a.from <= b.to) && (a.to === null || b.from <= a.to);

/** The company of a contract, the record that is kept where several were merged. */
async function companyOf(read: Read, contractId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(p.merged_into_id, p.id) id from contract c join firm p on p.id = c.party_id where c.id = ${contractId}`.execute(
    read.tx,
  );
  return rows[0]!.id;
}

/** Who moves in with a file, or what is wrong with a row; the rooms stay locked, so that the last bed is one person's. */
async function check(read: Read, all: readonly Row[], { contractId }: Place): Promise<Arrival[]> {
  const lines = all.map((row) => ({ row, typed: row.as(line, row.typed) }));
  const first = lines.reduce<Day>(
    (day, { typed }) => (typed && typed.from < day ? typed.from : day),
    read.today,
  );
  const { places: held, stays } = await roomsOf(read, await companyOf(read, contractId), first, true);
  const places = held.filter((p) => p.contractId === contractId);
  // who is known by a certificate, and where; of the file itself by the row
  const known = new Map<string, (Days & { said: string })[]>();
  const know = (hash: Buffer, days: Days, said: string) => {
    const key = Buffer.from(hash).toString("hex");
    known.set(key, [...(known.get(key) ?? []), { ...days, said }]);
  };
  const nameOf = new Map(held.map((p) => [`${p.contractId} ${p.roomId}`, p.roomName]));
  for (const stay of stays)
    if (stay.certHash)
      know(stay.certHash, stay, `证件号重复，已入住 ${nameOf.get(`${stay.contractId} ${stay.roomId}`)}`);
  const living = Map.groupBy<number, Parameters<typeof mostAt>[0][number]>(
    stays.filter((s) => s.contractId === contractId),
    (s) => s.roomId,
  );
  const arrivals: Arrival[] = [];
  for (const { row, typed } of lines) {
    const called = roomCalled(places, String(row.typed["room"] ?? ""));
    if ("msg" in called) row.say("room", called.msg);
    if (!typed || "msg" in called) continue;
    const { from } = typed;
    const at = placeOn(places, called.roomId, from)!;
    const to = { ...at, to: typed.to ?? at.to };
    if (typed.to && typed.to < from) row.say("to", "离开日不能早于入住日");
    else if (typed.to && at.to && typed.to > at.to) row.say("to", `${at.roomName} 的租期到 ${at.to} 为止`);
    const person = newcomerOf(read, {
      ...typed,
      certType: certTypeOf(typed.certNo),
      relation: "",
      lockAccess: true,
    });
    if ("msg" in person) {
      row.say("certNo", person.msg);
      continue;
    }
    const wish = { row: row.number, name: typed.name, gender: person.gender, newcomer: person, to };
    const wrong = placeError(at, wish, from);
    if (wrong) row.say(wrong.field === "roomId" ? "from" : "certNo", wrong.msg);
    const days = { from, to: to.to };
    const twin = known.get(person.certHash.toString("hex"))?.find((stay) => meet(stay, days));
    if (twin) row.say("certNo", twin.said);
    know(person.certHash, days, `证件号重复，与第 ${row.number} 行相同`);
    const there = [...(living.get(at.roomId) ?? []), { contractId, roomId: at.roomId, ...days }];
    if (!wrong && mostAt(there, from) > at.capacity) row.say("room", `超过可住人数 ${at.capacity} 人`);
    else living.set(at.roomId, there);
    if (!row.wrong.length) arrivals.push({ day: from, wish });
  }
  const rowOf = new Map(all.map((row) => [row.number, row]));
  for (const { wish, msg } of await forbiddenIn(
    read,
    arrivals.map((a) => a.wish),
  ))
    rowOf.get(wish.row)!.say("name", msg);
  return arrivals;
}

/** 导入入住人: everybody of a file moves in, or nobody. */
export const OCCUPANTS: Importer<Arrival[], Place> = {
  table: "occupantImport",
  letters: "DO",
  needs: "11.import",
  things: "入住人",
  counter: "人",
  whose: "village",
  most: 2000,
  columns: async () => COLUMNS,
  template: { example: "赵一航 13812345678 330106199003071013 1201 2026-11-20 …" },
  place: async (act, { contractId }: { contractId: number }) => {
    const kind = await admit(act, contractId, occupantImport.check);
    if (kind !== "company") throw new Refusal("notAllowed", "只有企业合同可以导入入住人", 409);
    const { state, ...held } = await theRow(act, "contract", ["villageId", "enterpriseId", "state"], {
      id: contractId,
    });
    if (!isInForce(state)) throw new Refusal("notAllowed", "合同不在租期内，不能导入入住人", 409);
    return { ...held, contractId };
  },
  check,
  make: async (act, arrivals, { id, contractId }) => {
    const company = await companyOf(act, contractId);
    for (const [day, those] of Map.groupBy(arrivals, (a) => a.day)) {
      const wishes = those.map(({ wish }) => ({
        ...wish,
        newcomer: { ...wish.newcomer, importId: id },
      }));
      const [wrong] = await changeStays(act, await roomsOf(act, company, day, true), wishes, day);
      if (wrong) throw new Refusal("changed", `第 ${wrong.row} 行：${wrong.msg}，未导入任何记录`, 409);
    }
    return arrivals.length;
  },
  remove: async (act, { id, rowCount, villageId }) => {
    const { rows } = await sql`
      select from contract_occupant o join occupant_fee_month m on m.contract_id = o.contract_id
      where o.import_id = ${id} and m.bills > 0 and m.month_to >= o.from_date
        and (o.to_date is null or m.month_from <= o.to_date) limit 1`.execute(act.tx);
    if (rows.length) throw new Refusal("inUse", "入住人付款的费用已出账，不能撤销", 409);
    const gone = await act.tx
      .deleteFrom("contractOccupant")
      .where("importId", "=", id)
      .returning("roomId")
      .execute();
    const left = rowCount - gone.length;
    if (left) throw new Refusal("inUse", `有 ${left} 位入住人已换房或搬离，不能撤销`, 409);
    await changed(
      act,
      [...new Set(gone.map((o) => o.roomId!))].map((roomId) => ({ roomId, villageId: villageId! })),
    );
    return gone.length;
  },
};
