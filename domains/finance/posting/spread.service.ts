import { named } from "../../../platform/server/lists/conditions.ts";
import { sql } from "kysely";
import { firstOf, lastOf, monthOf, type Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { revise } from "../../../platform/server/database/versioned.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { entryOn, type Act, type Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import type { Bill } from "../bill/bill.rules.ts";
import { lockBills, readBills } from "../bill/bills.queries.ts";
import { credit, debit, type Entry } from "../journal/journal.rules.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { SPREAD_BASIS, type SpreadBasis, spreadOver } from "./posting.rules.ts";
import { type CostRow, listCosts, type SpreadShown } from "./spread.contract.ts";

constraintSays("cost_spread_bill", { msg: "该成本已分摊，请先撤销" });

export const costs = listOf(listCosts, {
  id: "b.id",
  from: sql`bill b`,
  village: "b.village_id",
  scope: () => sql`b.direction = 'payable' and b.issued_at is not null and b.voided_at is null`,
  where: {
    month: (month) => sql`b.issue_date between ${firstOf(month)} and ${lastOf(month)}`,
    keyword: (text) => sql`(b.bill_no = ${text.toUpperCase()} or b.title ilike ${containing(text)}
      or b.party_id in (select id from party where ${named("name")(text)}))`,
  },
  sort: { issueDate: "b.issue_date", amount: sql`(b.amount + b.adjusted)` },
  order: sql`b.issue_date desc, b.id desc`,
  columns: sql<CostRow>`b.id, b.bill_no "billNo", b.title, b.village_id "villageId", v.name "villageName", p.name "partyName",
    b.issue_date "issueDate", b.amount + b.adjusted amount, b.settled paid, b.outstanding unpaid, s.basis,
    (select nullif(count(*), 0)::int from cost_spread_part x where x.spread_id = s.id) stores, s.version "spreadVersion"`,
  join: sql`join bill b on b.id = page.id join village v on v.id = b.village_id join party p on p.id = b.party_id
    left join cost_spread s on s.bill_id = b.id and s.undone_at is null`,
  sums: {
    select: sql`coalesce(sum(b.amount + b.adjusted), 0)::bigint amount, coalesce(sum(b.settled), 0)::bigint paid,
      coalesce(sum(b.outstanding), 0)::bigint unpaid`,
  },
});

export type Spread = { basis: SpreadBasis; villageIds: readonly number[]; shares: readonly number[] };

/** A cost bill that may be spread, in scope. */
function spreadable(read: Read, bill: Bill | undefined): Bill {
  if (!bill || bill.direction !== "payable" || !read.who.villages.includes(bill.villageId)) throw notFound();
  if (!bill.issuedAt || bill.voidedAt) throw new Refusal("notAllowed", "账单未出账或已作废，不能分摊");
  return bill;
}

/** What each store would bear. */
export async function planSpread(read: Read, billId: number, spread: Spread): Promise<SpreadShown> {
  const bill = spreadable(read, (await readBills(read, [billId]))[0]);
  return plan(read, bill, spread);
}

async function plan(read: Read, bill: Bill, spread: Spread): Promise<SpreadShown> {
  const { basis, villageIds } = spread;
  const places = await weigh(read, bill.issueDate, spread);
  const amount = await costOf(read, bill);
  if (!places.some(({ weight }) => weight > 0))
    throw invalid({ field: "villageIds", msg: `所选门店没有${SPREAD_BASIS[basis][0]}，不能按此分摊` });
  const fen = spreadOver(
    amount,
    places.map(({ weight }) => weight),
  );
  const parts = places.map((place, i) => ({ ...place, amount: fen[i]! }));
  return { amount, parts, hash: basisHash([bill.id, bill.version, basis, villageIds, parts, amount]) };
}

/** What the ledger has of a bill as cost; what it hands on for others is no cost to be spread. */
async function costOf(read: Read, bill: Bill): Promise<Fen> {
  const { rows } = await sql<{ fen: Fen }>`
    select coalesce(sum(debit - credit), 0)::bigint fen from journal_line
    where bill_id = ${bill.id} and account = '6401'`.execute(read.tx);
  if (rows[0]!.fen <= 0) throw new Refusal("notAllowed", "该账单没有可分摊的成本");
  return rows[0]!.fen;
}

async function weigh(
  read: Read,
  on: Day,
  { basis, villageIds, shares }: Spread,
): Promise<{ villageId: number; villageName: string; weight: number }[]> {
  if (basis === "fixed") {
    if (shares.length !== villageIds.length) throw invalid({ field: "shares", msg: "请填写每个门店的比例" });
    if (shares.reduce((sum, share) => sum + share, 0) !== 10_000)
      throw invalid({ field: "shares", msg: "比例合计应为100%" });
  }
  const month = monthOf(on);
  const { rows } = await sql<{ villageId: number; villageName: string; weight: number }>`
    select v.id "villageId", v.name "villageName", (case ${basis}::text
      when 'fixed' then x.share
      when 'income' then (select greatest(coalesce(sum(j.credit - j.debit), 0), 0) from journal_day j
        where j.village_id = v.id and j.account = '6001' and j.day between ${firstOf(month)} and ${lastOf(month)})
      else (select coalesce(case ${basis}::text when 'area' then round(sum(r.area) * 100) else count(*) end, 0) from room r
        where r.village_id = v.id and r.is_leaf and r.first_day <= ${on} and not_retired(r.retired_day, ${on}::date))
      end)::bigint weight
    from unnest(${[...villageIds]}::bigint[], ${[...shares]}::int[]) with ordinality x (id, share, nth)
    join village v on v.id = x.id order by x.nth`.execute(read.tx);
  return rows;
}

/** Moves what other stores bear of a cost to them (E25 each), by the hash of what was shown. */
export async function spreadCost(
  act: Act,
  billId: number,
  { previewHash, ...spread }: Spread & { previewHash: string },
): Promise<number> {
  const bill = spreadable(act, (await lockBills(act, [billId]))[0]);
  const shown = await plan(act, bill, spread);
  if (shown.hash !== previewHash)
    throw new Refusal("previewChanged", "账单试算已变化，请核对后重新确认", 409, { data: shown });
  const { villageId } = bill;
  const { id } = await act.tx
    .insertInto("costSpread")
    .values({
      billId,
      villageId,
      basis: spread.basis,
      amount: shown.amount,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx
    .insertInto("costSpreadPart")
    .values(
      shown.parts.map((part) => ({
        spreadId: id,
        villageId: part.villageId,
        weight: part.weight,
        amount: part.amount,
      })),
    )
    .execute();
  const { feeSubjectId } = bill.lines[0]!;
  await post(
    act,
    shown.parts
      .filter((part) => part.villageId !== villageId)
      .map((part, seq): Entry => ({
        event: "E25",
        sourceType: "costSpread",
        sourceId: id,
        seq,
        businessDate: bill.issueDate,
        memo: `${bill.billNo} 分摊`,
        legs: [
          debit("6401", part.villageId, part.amount, { feeSubjectId }),
          credit("6401", villageId, part.amount, { feeSubjectId }),
        ],
      })),
  );
  await noteSpread(
    act,
    bill,
    "分摊",
    `${yuan(shown.amount)} 按${SPREAD_BASIS[spread.basis][0]}分摊到 ${shown.parts.length} 个门店`,
  );
  return shown.parts.length;
}

const noteSpread = (
  act: Act,
  bill: Pick<Bill, "id" | "billNo" | "villageId">,
  action: string,
  summary: string,
) => act.note(entryOn("bill", bill, bill.billNo, action, summary));

/** Takes a spread back by the mirrors of its entries. */
export async function undoSpread(act: Act, billId: number, version: number): Promise<void> {
  const bill = spreadable(act, (await lockBills(act, [billId]))[0]);
  const row = await act.tx
    .selectFrom("costSpread")
    .select("id")
    .where("billId", "=", billId)
    .where("undoneAt", "is", null)
    .executeTakeFirst();
  if (!row) throw new Refusal("notAllowed", "该成本没有分摊");
  await takeBack(act, row.id, version);
  await noteSpread(act, bill, "撤销分摊", "分摊已撤销");
}

async function takeBack(act: Act, id: number, version: number): Promise<void> {
  await revise(
    act,
    "costSpread",
    { id, version },
    {
      undoneAt: act.now.toISOString(),
      undoneBy: act.who.operatorId || null,
    },
  );
  const posted = await entriesOf(act, { sourceType: "costSpread", sourceIds: [id] });
  await post(
    act,
    posted.map((entry, i) =>
      mirrorOf(entry, {
        event: "E25",
        sourceType: "costSpread",
        sourceId: id,
        seq: posted.length + i,
        businessDate: act.today,
        memo: "撤销分摊",
      }),
    ),
  );
}

/** What was spread of bills that are void now is taken back. */
export async function undoOfVoid(act: Act, billIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ id: number; version: number }>`
    select id, version from cost_spread where bill_id = ${anyOf(billIds)} and undone_at is null order by id for update`.execute(
    act.tx,
  );
  for (const { id, version } of rows) await takeBack(act, id, version);
  return rows.length;
}
