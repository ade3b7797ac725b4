import { sql } from "kysely";
import type { z } from "zod";
import { Refusal, invalid, notFound, stale } from "../../../platform/kernel/refusal.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import { type Act, entryOn, type Read } from "../../../platform/server/pipeline/act.ts";
import { keepAccount } from "../../party/account/account.service.ts";
import type { PayeeGiven } from "../../finance/refund/plan.service.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { type ActRecord, actRecord } from "../act/act.queries.ts";
import { OPEN } from "../act/act.rules.ts";
import { type ContractRecord, contractNote, contractRecord } from "../contract/record.queries.ts";
import type { Payee, savePayee } from "./settlement.contract.ts";

/** Where the refund of a settlement goes, with its number masked. */
export async function payeeShown(read: Pick<Read, "tx">, actId: number): Promise<Payee | null> {
  const { rows } = await sql<Payee>`
    select b.id "accountId", b.holder, b.bank, b.number_masked number, p.relation, p.by_tenant "byTenant", p.version
    from settlement_payee p join bank_account b on b.id = p.bank_account_id where p.act_id = ${actId}`.execute(
    read.tx,
  );
  return rows[0] ?? null;
}

/** The accounts that the party of a settlement has, with their numbers masked. */
export async function accountsOf(read: Read, actId: number) {
  const { contractId } = await actRecord(read, actId, "settle");
  const { rows } = await sql<{ id: number; label: string }>`
    select b.id, b.holder || ' ' || b.bank || ' ' || b.number_masked label
    from bank_account b join contract c on c.party_id = b.party_id
    where c.id = ${contractId} order by b.is_default desc, b.id`.execute(read.tx);
  return rows;
}

/** What its refund is told: the number whole, for the one who pays. Somebody else's papers hang on the settlement. */
export async function payeeGiven(act: Act, actId: number): Promise<PayeeGiven> {
  const { rows } = await sql<{ holder: string; bank: string; cipher: Buffer; relation: string }>`
    select b.holder, trim(b.bank || ' ' || b.branch) bank, b.number_cipher cipher, p.relation
    from settlement_payee p join bank_account b on b.id = p.bank_account_id where p.act_id = ${actId}`.execute(
    act.tx,
  );
  const [payee] = rows;
  if (!payee) return {};
  return {
    payeeName: payee.holder,
    payeeBank: payee.bank.slice(0, 60),
    payeeAccount: act.cipher.open(payee.cipher),
    relation: payee.relation,
    proven: true,
  };
}

type Named = Omit<z.output<typeof savePayee.body>, "version">;

/** The account that is meant, of the party; one that it has not got yet is kept with it. */
async function accountOf(act: Act, { partyId }: ContractRecord, { accountId, ...typed }: Named) {
  if (!accountId) {
    const id = await keepAccount(act, partyId!, typed);
    return { id, holder: typed.holder };
  }
  const known = await act.tx
    .selectFrom("bankAccount")
    .select(["id", "holder"])
    .where("id", "=", accountId)
    .where("partyId", "=", partyId!)
    .executeTakeFirst();
  if (!known) throw notFound();
  return known;
}

/** Where the refund goes; up to the confirmation, which hands it to the refund. `version` 0: none is there yet. */
export async function setPayee(
  act: Act,
  id: number,
  { version, ...given }: z.output<typeof savePayee.body>,
  byTenant = false,
): Promise<{ version: number }> {
  const { contractId } = await actRecord(act, id, "settle");
  const contract = await contractRecord(act, contractId, true);
  const record: ActRecord = await actRecord(act, id, "settle", true);
  if (!(OPEN as readonly string[]).includes(record.status))
    throw new Refusal("notAllowed", "结算已确认或已取消，请在退款管理中更换收款账户", 409);
  const account = await accountOf(act, contract, given);
  const party = await theRow(act, "party", ["name"], { id: contract.partyId! });
  const others = account.holder !== party.name.slice(0, 30);
  if (others && !given.relation) throw invalid({ field: "relation", msg: "收款人与客户不一致，请填写关系" });
  const before = await aRow(act, "settlementPayee", ["bankAccountId"], { actId: id });
  if (others && !given.fileIds.length && before?.bankAccountId !== account.id)
    throw invalid({ field: "fileIds", msg: "收款人与客户不一致，请上传证明" });
  await attachFiles(act, given.fileIds, {
    targetKind: "settlement",
    targetId: id,
    villageId: record.villageId,
    needs: "72.get",
  });
  const row = {
    bankAccountId: account.id,
    relation: others ? given.relation : "",
    byTenant,
    ...stamp(act),
  };
  const saved = version
    ? await revise(act, "settlementPayee", { actId: id, version }, row)
    : await act.tx
        .insertInto("settlementPayee")
        .values({ actId: id, ...row })
        .onConflict((on) => on.doNothing())
        .returning("version")
        .executeTakeFirst();
  if (!saved) throw stale();
  const { number } = (await payeeShown(act, id))!;
  const said = `${byTenant ? "租客填写" : ""}收款账户 ${account.holder} ${number}`;
  await act.note([
    contractNote(contract, "收款账户", `${record.actNo} ${said}`),
    entryOn("settlement", { id, villageId: record.villageId }, record.actNo, "收款账户", said),
  ]);
  return { version: saved.version };
}
