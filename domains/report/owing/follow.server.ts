import { sql } from "kysely";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addFollow, listFollows } from "./follow.contract.ts";

/** A debtor as the operator may know them: only through bills of the villages in scope. */
async function debtor(read: Read, partyId: number) {
  const { rows } = await sql<{ kind: string; name: string; owing: number[] }>`
    select p.kind, p.name, coalesce((select array_agg(distinct o.village_id order by o.village_id)
      from owing_at(${read.today}, ${read.who.villages as number[]}::bigint[]) o where o.party_id = p.id), '{}') owing
    from party p where p.id = ${partyId}
      and exists (select from bill b where b.party_id = p.id and b.village_id = ${anyOf(read.who.villages)})`.execute(
    read.tx,
  );
  if (!rows[0]) throw notFound();
  return rows[0];
}

export default [
  serveRead(listFollows, async (read, { params: { partyId } }) => {
    await debtor(read, partyId);
    return read.tx
      .selectFrom("owingFollow as w")
      .innerJoin("village as v", "v.id", "w.villageId")
      .leftJoin("operator as o", "o.id", "w.createdBy")
      .select(["w.id", "w.createdAt as at", "v.name as villageName", "w.promiseDay", "w.note"])
      .select(sql<string>`coalesce(o.real_name, '系统')`.as("operatorName"))
      .where("w.partyId", "=", partyId)
      .where("w.villageId", "=", anyOf(read.who.villages))
      .orderBy("w.id", "desc")
      .limit(100)
      .execute();
  }),

  serve(addFollow, async (act, { params: { partyId }, body }) => {
    const { kind, name, owing } = await debtor(act, partyId);
    if (!owing.length) throw new Refusal("notOwing", `${name}没有欠费，无需跟进`);
    const promiseDay = body.promiseDay ?? null;
    if (promiseDay && promiseDay < act.today)
      throw invalid({ field: "promiseDay", msg: "承诺付款日不能早于今天" });
    const made = await act.tx
      .insertInto("owingFollow")
      .values(
        owing.map((villageId) => ({
          partyId,
          villageId,
          promiseDay,
          note: body.note,
          createdAt: act.now.toISOString(),
          createdBy: act.who.operatorId,
        })),
      )
      .returning("id")
      .execute();
    const summary = `登记欠费跟进${promiseDay ? `，承诺 ${promiseDay} 付款` : ""}：${body.note}`;
    await act.note(
      owing.map((villageId) => ({ kind, recordId: partyId, villageId, action: "follow", summary })),
    );
    return { id: made[0]!.id };
  }),
];
