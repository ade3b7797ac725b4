import { sql } from "kysely";
import { canonicalNumber } from "../../../platform/kernel/texts/certificate.ts";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { becomesDefault, lockParty, noDefault, noteParty, partyFor } from "../party/party.service.ts";
import type { TitleInput } from "./title.contract.ts";

constraintSays("invoice_title_once", { field: "title", msg: "该抬头已登记" });

export async function titlesOf(read: Read, partyId: number) {
  await partyFor(read, partyId, "get");
  const rows = await read.tx
    .selectFrom("invoiceTitle")
    .selectAll()
    .where("partyId", "=", partyId)
    .orderBy("isDefault", "desc")
    .orderBy("id")
    .execute();
  return rows.map((t) => ({ ...t, kind: t.kind as TitleInput["kind"] }));
}

const columns = ({ taxNo, ...input }: TitleInput) => ({ ...input, taxNo: canonicalNumber(taxNo) });

/** The first title of a party is its default, whatever was ticked. */
export async function addTitleTo(
  act: Act,
  { partyId, ...input }: TitleInput & { partyId: number },
): Promise<{ id: number }> {
  const party = await lockParty(act, partyId);
  const isDefault = await becomesDefault(act, "invoiceTitle", partyId, input.isDefault);
  const { id } = await act.tx
    .insertInto("invoiceTitle")
    .values({
      partyId,
      ...columns(input),
      isDefault,
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await noteParty(act, party, { action: "发票抬头", summary: `新增发票抬头${input.title}` });
  return { id };
}

async function locked(act: Act, id: number) {
  const row = await act.tx.selectFrom("invoiceTitle").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw notFound();
  return { row, party: await lockParty(act, row.partyId) };
}

export async function changeTitle(
  act: Act,
  id: number,
  { version, ...input }: TitleInput & { version: number },
): Promise<{ id: number }> {
  const { row, party } = await locked(act, id);
  if (input.isDefault && !row.isDefault) await noDefault(act, "invoiceTitle", row.partyId);
  await revise(
    act,
    "invoiceTitle",
    { id, version },
    {
      ...columns(input),
      ...stamp(act),
    },
  );
  await noteParty(act, party, { action: "发票抬头", summary: `修改发票抬头${input.title}` });
  return { id };
}

/** Contracts that run have agreed on it; drafts and ended ones fall back to the usual title. */
export async function removeTitle(act: Act, id: number, version: number): Promise<void> {
  const { row, party } = await locked(act, id);
  const { rows } = await sql<{ contractNo: string }>`select contract_no "contractNo" from contract_brief
    where invoice_title_id = ${id} and in_force_or_signing order by id limit 1`.execute(act.tx);
  if (rows[0])
    throw new Refusal(
      "inUse",
      `合同 ${rows[0].contractNo} 的发票开给该抬头，不能删除，可以修改抬头的内容`,
      409,
    );
  await removeAt(act, "invoiceTitle", { id, version });
  await noteParty(act, party, { action: "发票抬头", summary: `删除发票抬头${row.title}` });
}
