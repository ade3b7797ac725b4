import { sql } from "kysely";
import { maskBank } from "../../../platform/kernel/texts/mask.ts";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import {
  type Noted,
  becomesDefault,
  lockParty,
  noDefault,
  noteParty,
  partyFor,
} from "../party/party.service.ts";
import type { AccountInput } from "./account.contract.ts";
import type { ACCOUNT_VERIFY } from "./account.rules.ts";
import { aRow } from "../../../platform/server/database/row.ts";

constraintSays("bank_account_once", { field: "number", msg: "该银行账号已登记" });

export async function accountsOf(read: Read, partyId: number) {
  await partyFor(read, partyId, "get");
  const rows = await read.tx
    .selectFrom("bankAccount")
    .select(["id", "holder", "bank", "branch", "numberMasked", "verified", "isDefault", "version"])
    .where("partyId", "=", partyId)
    .orderBy("isDefault", "desc")
    .orderBy("id")
    .execute();
  return rows.map(({ numberMasked, ...row }) => ({
    ...row,
    number: numberMasked,
    verified: row.verified as keyof typeof ACCOUNT_VERIFY,
  }));
}

/** The whole number, for the reveal call: it asks nobody's permission. */
export async function wholeAccount(read: Read, partyId: number, id: number): Promise<string | undefined> {
  const row = await aRow(read, "bankAccount", ["numberCipher"], { id, partyId });
  return row && read.cipher.open(row.numberCipher);
}

// hyphens are for the eye: 6222-0000 and 62220000 are one account
const sealed = (act: Act, number: string) => ({
  numberCipher: act.cipher.seal(number),
  numberHash: act.cipher.hash(number.replaceAll("-", "")),
  numberMasked: maskBank(number),
});

/** The first account of a party is its default, whatever was ticked. */
export async function addAccountTo(
  act: Act,
  { partyId, number, ...input }: AccountInput & { partyId: number },
): Promise<{ id: number }> {
  const party = await lockParty(act, partyId);
  const isDefault = await becomesDefault(act, "bankAccount", partyId, input.isDefault);
  const { id } = await act.tx
    .insertInto("bankAccount")
    .values({
      partyId,
      ...input,
      ...sealed(act, number),
      isDefault,
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await noteParty(act, party, { action: "银行账户", summary: `新增银行账户${maskBank(number)}` });
  return { id };
}

/**
 * The account with this number of a party, for whoever owes it money: one that stands there already, or a new one. Asks
 * nobody's permission; a number that stands there under another name is refused.
 */
export async function keepAccount(
  act: Act,
  partyId: number,
  { holder, bank, number }: Pick<AccountInput, "holder" | "bank" | "number">,
): Promise<number> {
  await sql`select from party where id = ${partyId} for no key update`.execute(act.tx);
  const row = sealed(act, number);
  const known = await aRow(act, "bankAccount", ["id", "holder"], { partyId, numberHash: row.numberHash });
  if (known && known.holder !== holder)
    throw invalid({ field: "number", msg: "该银行账号已登记在其他户名下，请核对户名" });
  if (known) return known.id;
  const isDefault = await becomesDefault(act, "bankAccount", partyId, false);
  const by = act.who.operatorId || null;
  const { id } = await act.tx
    .insertInto("bankAccount")
    .values({ partyId, holder, bank, ...row, isDefault, createdBy: by, updatedBy: by })
    .returning("id")
    .executeTakeFirstOrThrow();
  const party = await sql<Noted>`select p.id, p.kind, h.home_village_id "homeVillageId"
    from party p join party_home h on h.id = p.id where p.id = ${partyId}`.execute(act.tx);
  await noteParty(act, party.rows[0]!, { action: "银行账户", summary: `新增银行账户${maskBank(number)}` });
  return id;
}

async function locked(act: Act, id: number) {
  const row = await act.tx.selectFrom("bankAccount").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw notFound();
  return { row, party: await lockParty(act, row.partyId) };
}

export async function changeAccount(
  act: Act,
  id: number,
  {
    version,
    number,
    ...input
  }: Omit<AccountInput, "number"> & { number?: string | undefined; version: number },
): Promise<{ id: number }> {
  const { row, party } = await locked(act, id);
  if (input.isDefault && !row.isDefault) await noDefault(act, "bankAccount", row.partyId);
  const other = number !== undefined || input.holder !== row.holder;
  await revise(
    act,
    "bankAccount",
    { id, version },
    {
      ...input,
      ...(number !== undefined && sealed(act, number)),
      // what was checked is no longer what stands here
      ...(other && { verified: "unverified" }),
      ...stamp(act),
    },
  );
  const shown = number === undefined ? row.numberMasked : maskBank(number);
  await noteParty(act, party, { action: "银行账户", summary: `修改银行账户${shown}` });
  return { id };
}

export async function removeAccount(act: Act, id: number, version: number): Promise<void> {
  const { row, party } = await locked(act, id);
  await removeAt(act, "bankAccount", { id, version });
  await noteParty(act, party, { action: "银行账户", summary: `删除银行账户${row.numberMasked}` });
}
