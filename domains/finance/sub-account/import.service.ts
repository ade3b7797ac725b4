import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Importer } from "../../system/import/importer.service.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { contractsNamed, partiesNamed, villagesNamed } from "../import/find.queries.ts";
import { NUMBER } from "./sub-account.rules.ts";

const COLUMNS: readonly ImportColumn[] = [
  { title: "对公账户", key: "account", must: true, note: "对账方式为认领的银行账户的名称" },
  { title: "子账号", key: "number", must: true, note: "6-30位数字；请把单元格设为文本" },
  { title: "户名", key: "name", note: "2-60字，不填为客户名称" },
  { title: "门店", key: "village", must: true, note: "门店名称或简称" },
  { title: "合同号", key: "contract", note: "HT…；没有合同号时填写客户" },
  { title: "客户", key: "party", note: "客户姓名或企业名称" },
  { title: "备注", key: "remark", note: "最多200字" },
];
type Key = "account" | "number" | "name" | "village" | "contract" | "party" | "remark";
type Typed = Partial<Record<Key, string>>;
type Brought = {
  merchantAccountId: number;
  number: string;
  name: string;
  villageId: number;
  partyId: number;
  remark: string;
};
type Found = { rows: Brought[]; villageIds: number[] };

/** Accounts into which transfers are claimed, of the enterprises of some stores. */
export async function claimedAccounts(
  read: Pick<Read, "tx">,
  villageIds: readonly number[],
): Promise<{ id: number; name: string; villageIds: number[] }[]> {
  const { rows } = await sql<{ id: number; name: string; villageIds: number[] }>`
    select a.id, a.name, array_agg(v.id) "villageIds" from merchant_account a join village v on v.enterprise_id = a.enterprise_id
    where a.kind = 'bank' and a.statement_mode = 'claim' and a.enabled and v.id = ${anyOf(villageIds)}
      and (a.holder_village_id is null or a.holder_village_id = v.id) group by a.id`.execute(read.tx);
  return rows;
}

/** Whose it is, or the cell and the sentence against it. */
function customerOf(
  { contract, party }: Typed,
  villageId: number,
  contracts: Awaited<ReturnType<typeof contractsNamed>>,
  parties: Awaited<ReturnType<typeof partiesNamed>>,
): { id: number; name: string } | [Key, string] {
  if (contract) {
    const found = contracts.find((c) => c.no === contract.toUpperCase() && c.villageId === villageId);
    return found ? { id: found.partyId, name: found.partyName } : ["contract", "该门店没有这份合同"];
  }
  if (!party) return ["contract", "请填写合同号或客户"];
  const named = parties.filter((p) => p.villageId === villageId && p.name === party);
  if (!named.length) return ["party", "该门店没有这位客户"];
  return named.length > 1 ? ["party", `有 ${named.length} 位客户同名，请填写合同号`] : named[0]!;
}

async function check(read: Read, all: readonly Row[]): Promise<Found> {
  const typedOf = (row: Row) => row.typed as Typed;
  const villages = await villagesNamed(read);
  const accounts = await claimedAccounts(
    read,
    villages.map((v) => v.id),
  );
  const contracts = await contractsNamed(
    read,
    all.flatMap((row) => typedOf(row).contract?.toUpperCase() ?? []),
  );
  const parties = await partiesNamed(
    read,
    villages.map((v) => v.id),
    all.flatMap((row) => typedOf(row).party ?? []),
  );
  const { rows: standing } = await sql<{ key: string }>`
    select merchant_account_id || ' ' || number key from sub_account
    where number = any(${all.flatMap((row) => typedOf(row).number ?? [])}::text[])`.execute(read.tx);
  const taken = new Set(standing.map(({ key }) => key));
  const firsts = new Map<string, number>();
  const rows: Brought[] = [];
  for (const row of all) {
    const { account, number = "", name, village, remark = "" } = typedOf(row);
    if (number && !NUMBER.test(number)) row.say("number", "子账号为6-30位数字");
    if (name && name.length > 60) row.say("name", "户名为2-60个字");
    if (remark.length > 200) row.say("remark", "备注最多200字");
    const store = villages.find((v) => v.name === village || (v.shortName && v.shortName === village));
    if (village && !store) row.say("village", "没有这个门店，或不在您的管辖范围");
    if (!store) continue;
    const under = accounts.find((a) => a.name === account && a.villageIds.includes(store.id));
    if (account && !under) row.say("account", "该门店所属企业没有这个对公入账账户");
    const whose = customerOf(typedOf(row), store.id, contracts, parties);
    if (Array.isArray(whose)) row.say(...whose);
    if (!under || Array.isArray(whose)) continue;
    const called = name ?? whose.name.slice(0, 60);
    if (called.length < 2) row.say("name", "请填写户名（2-60个字）");
    const key = `${under.id} ${number}`;
    const first = firsts.get(key);
    if (taken.has(key)) row.say("number", "该账户下已有这个子账号");
    else if (first !== undefined) row.say("number", `与第 ${first} 行重复`);
    firsts.set(key, first ?? row.number);
    if (!row.wrong.length)
      rows.push({
        merchantAccountId: under.id,
        number,
        name: called,
        villageId: store.id,
        partyId: whose.id,
        remark,
      });
  }
  return { rows, villageIds: [...new Set(rows.map((row) => row.villageId))] };
}

export async function makeSubAccounts(act: Act, rows: readonly Brought[], importId?: number): Promise<void> {
  if (!rows.length) return;
  const by = act.who.operatorId || null;
  await act.tx
    .insertInto("subAccount")
    .values(rows.map((row) => ({ ...row, importId: importId ?? null, createdBy: by, updatedBy: by })))
    .execute();
}

/** 导入虚拟子账户: as the bank gives them out, one to a row. */
export const SUB_ACCOUNTS: Importer<Found, object> = {
  table: "subAccountImport",
  letters: "DV",
  needs: "97.import",
  whose: "villages",
  things: "虚拟子账户",
  counter: "个",
  columns: async () => COLUMNS,
  template: { example: "对公收款户　8110701012345678901　张雅婷　滨江店　HT20260101-000007" },
  place: async () => ({}),
  sameFile: "anybody",
  check,
  kept: (found) => ({ villageIds: found?.villageIds ?? [] }),
  make: async (act, { rows }, batch) => {
    await makeSubAccounts(act, rows, batch.id);
    return { count: rows.length, told: `导入虚拟子账户 ${rows.length} 个` };
  },
  remove: async (act, { id }) => {
    const gone = await act.tx.deleteFrom("subAccount").where("importId", "=", id).returning("id").execute();
    return gone.length;
  },
};
