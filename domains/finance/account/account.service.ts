import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { doneFirst } from "../../../platform/server/database/once.ts";
import { accountKindOf, bookOf, type AccountKind, type PayChannel, type Purse } from "./channel.rules.ts";

export type MerchantAccount = {
  id: number;
  name: string;
  /** null = held by head office. */
  holderVillageId: number | null;
  kind: AccountKind;
  statementMode: "claim" | "reconcile";
  feeRate: string;
  feeCap: Fen | null;
  enabled: boolean;
};

export type NewAccount = {
  enterpriseId: number;
  name: string;
  kind: AccountKind;
  holderVillageId?: number | null;
  statementMode?: "claim" | "reconcile";
  feeRate?: string;
  mchId?: string;
  bankName?: string;
  bankAccountNo?: string;
};

export async function addAccount(act: Pick<Act, "tx">, account: NewAccount): Promise<number> {
  const made = await act.tx
    .insertInto("merchantAccount")
    .values(account)
    .returning("id")
    .executeTakeFirstOrThrow();
  return made.id;
}

/** Lets a village receive through an account at one terminal. */
export async function linkAccount(
  act: Pick<Act, "tx">,
  use: { villageId: number; payType: PayChannel; merchantAccountId: number; terminal?: string },
): Promise<void> {
  await act.tx
    .insertInto("villageAccount")
    .values({ terminal: "counter", ...use })
    .onConflict((oc) =>
      oc
        .columns(["villageId", "terminal", "payType", "purpose"])
        .doUpdateSet({ merchantAccountId: use.merchantAccountId, enabled: true }),
    )
    .execute();
}

/** Accounts through which a village may take or give money: the ones set up for it, and the ones it holds itself. */
export async function accountsOf(read: Pick<Read, "tx">, villageId: number): Promise<MerchantAccount[]> {
  const { rows } = await sql<MerchantAccount>`
    select a.id, a.name, a.holder_village_id "holderVillageId", a.kind, a.statement_mode "statementMode",
      a.fee_rate "feeRate", a.fee_cap "feeCap", a.enabled
    from merchant_account a
    where a.holder_village_id = ${villageId}
      or a.id in (select merchant_account_id from village_account where village_id = ${villageId} and enabled)
    order by a.id`.execute(read.tx);
  return rows;
}

/** The account of a booking, or the sentence under its field why it cannot be used. */
export async function accountFor(
  read: Pick<Read, "tx">,
  of: { villageId: number; channel: PayChannel; merchantAccountId: number; direction?: "in" | "out" },
): Promise<MerchantAccount> {
  const usable = await accountsOf(read, of.villageId);
  const no = (msg: string) => invalid({ field: "merchantAccountId", msg });
  if (!usable.length) throw no("该门店未配置收款账户");
  const account = usable.find((a) => a.id === of.merchantAccountId);
  if (!account) throw no("该账户不能用于此门店");
  if (!account.enabled) throw no("该账户已停用");
  if (account.kind !== accountKindOf(of.channel)) throw no("账户与渠道不一致");
  if (account.statementMode === "claim" && of.direction !== "out")
    throw no("该账户为对公入账账户，请到对公流水认领登记");
  return account;
}

/** The account that a channel has taken money into: it counts also where it was disabled meanwhile. */
export async function accountPaid(read: Pick<Read, "tx">, id: number): Promise<MerchantAccount> {
  const { rows } = await sql<MerchantAccount>`
    select id, name, holder_village_id "holderVillageId", kind, statement_mode "statementMode",
      fee_rate "feeRate", fee_cap "feeCap", enabled
    from merchant_account where id = ${id}`.execute(read.tx);
  return rows[0]!;
}

type Of = { id: number; enterpriseId: number };

/** An account of an enterprise, locked; nothing where it has none such. */
export async function accountOf(act: Act, of: Of): Promise<(Purse & { id: number }) | undefined> {
  const { rows } = await sql<Purse & { id: number }>`
    select id, kind, holder_village_id "holderVillageId" from merchant_account
    where id = ${of.id} and enterprise_id = ${of.enterpriseId} for update`.execute(act.tx);
  return rows[0];
}

/** Whether an enterprise has a bank account in use, from which it can send money to another. */
export const paysByBank = async (read: Pick<Read, "tx">, enterpriseId: number): Promise<boolean> =>
  (await read.tx
    .selectFrom("merchantAccount")
    .select("id")
    .where("enterpriseId", "=", enterpriseId)
    .where("kind", "=", "bank")
    .where("enabled", "=", true)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** What the steps of an act have posted and the journal has not been told yet (`postedFirst` there). */
export const POSTINGS = "postings";

/** What stands in a book of some receiving accounts, each by its id. */
async function balancesOf(
  read: Pick<Read, "tx">,
  ids: readonly number[],
  book: string,
): Promise<Map<number, Fen>> {
  if (!ids.length) return new Map();
  await doneFirst(read, POSTINGS);
  if (!ids.length) return new Map();
  const { rows } = await sql<{ id: number; fen: Fen }>`
    select merchant_account_id id, sum(debit - credit)::bigint fen
    from merchant_until(${ids as number[]}::bigint[], 'infinity') where account = ${book} group by 1`.execute(
    read.tx,
  );
  return new Map(ids.map((id) => [id, rows.find((row) => row.id === id)?.fen ?? 0]));
}

/** What channels have taken and not settled yet. */
export const channelBalances = (read: Pick<Read, "tx">, ids: readonly number[]): Promise<Map<number, Fen>> =>
  balancesOf(read, ids, "1012");

/** The cash that should be in some boxes. */
export const cashBalances = (read: Pick<Read, "tx">, ids: readonly number[]): Promise<Map<number, Fen>> =>
  balancesOf(read, ids, "1001");

/** The channel whose settlement came to a bank, locked; refused where it owes less. */
export async function settlingChannel(act: Act, of: Of, amount: Fen): Promise<Purse & { id: number }> {
  const account = await accountOf(act, of);
  if (!account || bookOf(account.kind) !== "1012")
    throw invalid({ field: "merchantAccountId", msg: "请选择渠道账户" });
  if ((await channelBalances(act, [account.id])).get(account.id)! < amount)
    throw invalid({ field: "amount", msg: "超过渠道账户待结算余额" });
  return account;
}

/** Locks a cash box and refuses when it holds less than what shall leave it. */
export async function checkCash(
  act: Act,
  account: Pick<MerchantAccount, "id" | "kind">,
  amount: Fen,
): Promise<void> {
  if (account.kind !== "cash") return;
  await sql`select from merchant_account where id = ${account.id} for update`.execute(act.tx);
  if ((await balancesOf(act, [account.id], bookOf("cash"))).get(account.id)! < amount)
    throw new Refusal("cashShort", "现金余额不足");
}

/** Head office is in scope of whoever sees every store of the enterprise. */
export async function seesHead(read: Read, enterpriseId: number): Promise<boolean> {
  const { rows } = await sql<{ seen: boolean }>`select ${headSeen(read, enterpriseId)} seen`.execute(read.tx);
  return rows[0]!.seen;
}

/** The same as a condition. */
export const headSeen = ({ who }: Read, enterpriseId: number) =>
  who.superType === "0"
    ? sql`true`
    : who.enterpriseId !== enterpriseId
      ? sql`false`
      : sql`not exists (select from village where enterprise_id = ${enterpriseId}
          and id <> all(${who.villages as number[]}::bigint[]))`;
