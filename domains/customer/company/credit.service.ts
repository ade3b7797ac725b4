import { sql } from "kysely";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, stale } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { propose } from "../../approval/examine/propose.service.ts";
import { type Outlook, type Wanted, approves, words } from "../../approval/examine/registry.service.ts";
import { changeParty, noteParty } from "../../party/party/party.service.ts";
import { creditUsed } from "../firm/firm-list.queries.ts";
import { seenFirm } from "../firm/firm.queries.ts";
import { limitText } from "./credit.rules.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";

type Terms = { creditDays: number; creditLimit: number | null };

/** Whoever decides sees the record by its village; the effect runs with the eyes of whoever approves. */
async function termsOf(read: Read, id: number): Promise<Terms & { name: string; homeVillageId: number }> {
  const firm = await read.tx
    .selectFrom("company")
    .innerJoin("firm", "firm.id", "company.id")
    .innerJoin("party", "party.id", "company.id")
    .select(["party.name", "firm.homeVillageId", "company.creditDays", "company.creditLimit"])
    .where("company.id", "=", id)
    .where("firm.mergedIntoId", "is", null)
    .executeTakeFirst();
  if (!firm) throw new Refusal("gone", "该企业已被合并或删除");
  return firm;
}

const same = (a: Terms, b: Terms) => a.creditDays === b.creditDays && a.creditLimit === b.creditLimit;

async function outlook(read: Read, { id, payload }: Wanted): Promise<Outlook> {
  const now = await termsOf(read, id);
  const next = payload as Terms;
  if (same(now, next)) throw new Refusal("same", "账期和授信额度没有变化");
  const { rows } = await sql<{
    used: number;
  }>`select ${creditUsed} used from party p where p.id = ${id}`.execute(read.tx);
  return {
    title: `调整授信 ${now.name}`,
    number: now.name,
    villageId: now.homeVillageId,
    amount: next.creditLimit,
    // no limit counts as the highest
    values: { amount: next.creditLimit ?? Number.MAX_SAFE_INTEGER, days: next.creditDays },
    facts: [
      ["企业", now.name],
      ["已用额度", `${yuan(rows[0]!.used)} 元`],
    ],
    preview: [
      {
        title: "账期与授信额度",
        columns: [words("项目"), words("现在"), words("调整后")],
        rows: [
          ["账期", `${now.creditDays} 天`, `${next.creditDays} 天`],
          ["授信额度", limitText(now.creditLimit), limitText(next.creditLimit)],
        ],
      },
    ],
    hash: basisHash([id, now, next]),
  };
}

async function apply(act: Act, id: number, next: Terms, reason: string): Promise<void> {
  const before = await termsOf(act, id);
  const { version } = await theRow(act, "party", ["version"], { id });
  await changeParty(act, id, version);
  await act.tx
    .updateTable("company")
    .set({ creditDays: next.creditDays, creditLimit: next.creditLimit })
    .where("id", "=", id)
    .execute();
  const said = (t: Terms) => ({ 账期: `${t.creditDays} 天`, 授信额度: limitText(t.creditLimit) });
  await noteParty(
    act,
    { id, kind: "company", homeVillageId: before.homeVillageId },
    { action: "授信", summary: `调整账期与授信额度：${reason}`, before: said(before), after: said(next) },
  );
}

approves({
  type: "companyCredit",
  title: "调整企业授信",
  group: "财务",
  kind: "company",
  page: "/configuration/CompanyManagement",
  permit: "113.query",
  fields: [
    { key: "amount", title: "授信额度", kind: "money" },
    { key: "days", title: "账期", kind: "number", unit: "天" },
  ],
  outlook,
  effect: (act, { id, payload, reason }) => apply(act, id, payload as Terms, reason),
});

/** At once, or with the last approval where the company's village asks for it. */
export async function changeCredit(
  act: Act,
  id: number,
  {
    version,
    reason,
    ...wanted
  }: Omit<Terms, "creditLimit"> & {
    creditLimit?: number | null | undefined;
    version: number;
    reason: string;
  },
): Promise<{ examineId: number | null }> {
  const { homeVillageId } = await seenFirm(act, "company", id);
  const { version: now } = await act.tx
    .selectFrom("party")
    .select("version")
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (now !== version) throw stale();
  const terms: Terms = { creditDays: wanted.creditDays, creditLimit: wanted.creditLimit ?? null };
  if (same(await termsOf(act, id), terms)) throw new Refusal("same", "账期和授信额度没有变化");
  const { waiting } = await propose(act, "companyCredit", [
    { recordId: id, villageId: homeVillageId, payload: terms, reason },
  ]);
  if (!waiting[0]) await apply(act, id, terms, reason);
  return { examineId: waiting[0]?.examineId ?? null };
}

export type CreditUse = { limit: Fen; used: Fen };

/**
 * A company's limit and what of it is used: everything issued and still open, in whatever village, of the record that was
 * kept where it was merged. Nothing for a company without a limit. `lock` lets two contracts of one company be weighed one after the other.
 */
export async function creditUse(read: Read, partyId: number, lock = false): Promise<CreditUse | undefined> {
  const firm = await aRow(read, "firm", ["mergedIntoId"], { id: partyId });
  const id = firm?.mergedIntoId ?? partyId;
  if (lock) await sql`select from company where id = ${id} for update`.execute(read.tx);
  const { rows } = await sql<{ limit: Fen | null; used: Fen }>`
    select k.credit_limit "limit", ${creditUsed} used from company k join party p on p.id = k.id
    where k.id = ${id}`.execute(read.tx);
  const [row] = rows;
  return row && row.limit !== null ? { limit: row.limit, used: row.used } : undefined;
}
