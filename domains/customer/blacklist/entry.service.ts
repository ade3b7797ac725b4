import { sql } from "kysely";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { z } from "zod";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { noteParty, type PartyKind } from "../../party/party/party.service.ts";
import { checkWords } from "../../system/dic/dic.service.ts";
import { attachFiles, filesOf } from "../../system/file/file.service.ts";
import { BLACK } from "./blacklist.rules.ts";
import type { addBlack } from "./entry.contract.ts";

constraintSays("black_list_once", { code: "blackListed", msg: "该证件已在黑名单中" });

type Person = {
  id: number;
  kind: PartyKind;
  name: string;
  phone: string;
  hash: Buffer | null;
  enterpriseId: number;
  homeVillageId: number;
};

/** A customer in scope, with what the list knows them by. */
async function personOf(read: Read, id: number): Promise<Person> {
  const { rows } = await sql<Person>`
    select p.id, p.kind, p.name, p.phone, coalesce(r.cert_no_hash, x.number_hash) hash, p.enterprise_id "enterpriseId",
      coalesce(r.home_village_id, x.home_village_id) "homeVillageId"
    from party p left join renter r on r.id = p.id left join firm x on x.id = p.id
    where p.id = ${id} and coalesce(r.id, x.id) is not null and coalesce(r.merged_into_id, x.merged_into_id) is null
      and exists (select 1 from party_village v where v.party_id = p.id and v.village_id = ${anyOf(read.who.villages)})`.execute(
    read.tx,
  );
  if (!rows[0]) throw notFound();
  return rows[0];
}

const against = (p: Person) => sql`b.active and b.enterprise_id = ${p.enterpriseId}
  and (b.cert_no_hash = ${p.hash} or (b.phone <> '' and b.phone = ${p.phone}))`;

export async function entriesOf(read: Read, partyId: number) {
  const person = await personOf(read, partyId);
  const { rows } = await sql<{
    id: number;
    name: string;
    level: "warn" | "forbid";
    reasonKind: string;
    reason: string;
    fromOn: string;
    expiresOn: string | null;
    creatorName: string;
    version: number;
  }>`select b.id, b.name, b.level, b.reason_kind "reasonKind", b.reason, b.from_on "fromOn", b.expires_on "expiresOn",
      coalesce(o.real_name, '') "creatorName", b.version
    from black_list b left join operator o on o.id = b.created_by
    where ${against(person)} order by b.level, b.id desc limit 50`.execute(read.tx);
  const files = await filesOf(
    read,
    "blackList",
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({
    ...row,
    files: (files.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
  }));
}

/** It holds in all stores of the enterprise, from today on. */
export async function blacken(act: Act, input: z.output<typeof addBlack.body>): Promise<{ id: number }> {
  const person = await personOf(act, input.partyId);
  if (!person.hash && !person.phone)
    throw new Refusal("empty", "该客户没有登记证件和手机号，无法加入黑名单", 409);
  if (input.expiresOn && input.expiresOn < act.today)
    throw invalid({ field: "expiresOn", msg: "有效期不能早于今天" });
  await checkWords(act, "customer", "blackReason", [input.reasonKind], { field: "reasonKind" });
  const { id } = await act.tx
    .insertInto("blackList")
    .values({
      enterpriseId: person.enterpriseId,
      partyId: person.id,
      name: person.name,
      phone: person.phone,
      certNoHash: person.hash,
      level: input.level,
      reasonKind: input.reasonKind,
      reason: input.reason,
      source: input.reasonKind,
      fromOn: act.today,
      expiresOn: input.expiresOn ?? null,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await attachFiles(act, input.fileIds, {
    targetKind: "blackList",
    targetId: id,
    villageId: person.homeVillageId,
    needs: "170.query",
  });
  await noteParty(act, person, {
    action: "加入黑名单",
    summary: `${BLACK[input.level][0]}，${input.reasonKind}：${input.reason.slice(0, 180)}`,
  });
  return { id };
}

/** An entry against somebody in scope is taken off; what it said stays on record. */
export async function lift(
  act: Act,
  id: number,
  { partyId, reason, version }: { partyId: number; reason: string; version: number },
): Promise<void> {
  const person = await personOf(act, partyId);
  const { rows } = await sql<{ version: number }>`
    select b.version from black_list b where b.id = ${id} and ${against(person)} for update`.execute(act.tx);
  if (!rows[0]) throw notFound();
  asSeen(rows[0], version);
  await act.tx
    .updateTable("blackList")
    .set({
      active: false,
      removedAt: act.now.toISOString(),
      removedBy: act.who.operatorId,
      removedReason: reason,
      version: version + 1,
    })
    .where("id", "=", id)
    .execute();
  await noteParty(act, person, { action: "解除黑名单", summary: `解除黑名单：${reason}` });
}
