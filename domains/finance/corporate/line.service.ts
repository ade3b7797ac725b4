import { type RawBuilder, sql } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX, type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { accountOf, settlingChannel } from "../account/account.service.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { proving } from "../statement/statement.queries.ts";
import { lineSeen, ofEnterprise } from "./line.queries.ts";
import {
  type Against,
  dayEntry,
  lineEntry,
  type OwnKind,
  type TakenKind,
  classifiedEntry,
  USE_KIND,
  type UseKind,
  whyNotTake,
} from "./line.rules.ts";

export type Line = {
  id: number;
  accountId: number;
  accountName: string;
  enterpriseId: number;
  holderVillageId: number | null;
  day: Day;
  occurredAt: string;
  amount: Fen;
  claimed: Fen;
  reserved: Fen;
  classified: Fen;
  free: Fen;
  counterName: string;
  counterAccount: string;
  summary: string;
  /** The bank's own number, or what stands for one. */
  number: string;
  version: number;
};

const LINE = sql`l.id, l.merchant_account_id "accountId", a.name "accountName", a.enterprise_id "enterpriseId",
  a.holder_village_id "holderVillageId", l.day, s.occurred_at "occurredAt", l.amount, l.claimed, l.reserved,
  l.classified, l.free, s.counter_name "counterName", s.counter_account "counterAccount", s.summary,
  coalesce(s.channel_trade_no, s.line_no::text) number, l.version`;
const FROM = sql`bank_line l join statement_line s on s.id = l.statement_line_id
  join merchant_account a on a.id = l.merchant_account_id`;

/** A line that somebody sees, or 404. Its lock comes before those of balances, flows and bills. */
export async function lineOf(read: Read, id: number, lock = false): Promise<Line> {
  const line = await lineWhere(read, sql`l.id = ${id} and ${lineSeen(read.who)}`, false);
  // whoever was quicker has taken some of it: that is told by what is free
  return lock ? lineWhere(read, sql`l.id = ${id}`, true) : line;
}

/** The line of a standing record; the caller has checked the permission on the record. */
export const lineUnder = (read: Read, id: number): Promise<Line> => lineWhere(read, sql`l.id = ${id}`, false);
export const lockLine = (act: Act, id: number): Promise<Line> => lineWhere(act, sql`l.id = ${id}`, true);

/** A part that is no customer's is booked with whoever holds an account: for who proves that account. */
export async function needHolder(read: Read, accountId: number): Promise<void> {
  const { rows } = await sql`
    select from merchant_account a where a.id = ${accountId} and ${proving(read.who)}`.execute(read.tx);
  if (!rows.length)
    throw new Refusal(
      "notAllowed",
      "该标记记入账户持有方的账，须由管理持有门店（公司账户为全部门店）的人员操作",
      403,
    );
}

async function lineWhere(read: Read, where: RawBuilder<unknown>, lock: boolean): Promise<Line> {
  const { rows } = await sql<Line>`select ${LINE} from ${FROM} where ${where}
    ${lock ? sql`for update of l` : sql``}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** Entries that are posted together. */
const AT_ONCE = 5_000;
/** No leg of an entry is larger than an amount may be: smaller lines fill it up to half by half, a larger one stands alone. */
const HALF = Math.floor(AMOUNT_MAX / 2);

type Came = {
  id: number;
  accountId: number;
  holderVillageId: number | null;
  day: Day;
  amount: Fen;
  count: number;
};

/**
 * Money that a statement says came to an account in claim mode (E16): line by line, or of a long file day by day. Lines that
 * are booked stay.
 */
export async function bookLines(
  act: Act,
  statementId: number,
  byDay = false,
): Promise<{ count: number; amount: Fen }> {
  const { rows } = await sql<Came>`
    with made as (
      insert into bank_line (statement_line_id, merchant_account_id, day, amount, created_at, created_by)
      select s.id, s.merchant_account_id, s.day, s.amount, ${act.now.toISOString()}, ${act.who.operatorId || null}
      from statement_line s join merchant_account a on a.id = s.merchant_account_id
      where s.statement_id = ${statementId} and s.direction = 'in' and a.statement_mode = 'claim'
      order by s.line_no on conflict (statement_line_id) do nothing
      returning id, merchant_account_id, day, amount),
    part as (
      select *, case when not ${byDay}::boolean or amount > ${HALF} then -id
        else div(sum(case when amount > ${HALF} then 0 else amount end) over (partition by day order by id) - amount, ${HALF}::numeric) end part
      from made)
    select min(p.id) id, p.merchant_account_id "accountId", a.holder_village_id "holderVillageId", p.day,
      sum(p.amount)::bigint amount, count(*)::int count
    from part p join merchant_account a on a.id = p.merchant_account_id
    group by p.merchant_account_id, a.holder_village_id, p.day, p.part order by 1`.execute(act.tx);
  await post(
    act,
    rows.map((came, seq) => (byDay ? dayEntry(statementId, seq, came) : lineEntry(came))),
  );
  return {
    count: rows.reduce((sum, came) => sum + came.count, 0),
    amount: rows.reduce((sum, came) => sum + came.amount, 0),
  };
}

/** Takes the lines of a statement off the books again (mirrors of E16); the statement's account is locked. */
export async function unbookLines(act: Act, statementId: number): Promise<void> {
  const ofFile = sql`l.statement_line_id in (select id from statement_line where statement_id = ${statementId})`;
  const { rows } = await sql<{ dealt: number }>`
    with held as (select l.id, l.amount, l.free from bank_line l where ${ofFile} for update)
    select count(*)::int dealt from held l where l.amount <> l.free
      or exists (select from claim c where c.bank_line_id = l.id)
      or exists (select from bank_line_use u where u.bank_line_id = l.id
        and (u.undone_at is null or u.by_id is not null))`.execute(act.tx);
  const { dealt } = rows[0]!;
  if (dealt) throw new Refusal("notAllowed", `批次内有 ${dealt} 行已处理，不能撤销`);
  await mirrorAll(act, "statement", [statementId]);
  for (let after = 0, count = AT_ONCE; count === AT_ONCE;) {
    const { rows: lines } = await sql<{ id: number }>`
      select l.id from bank_line l where ${ofFile} and l.id > ${after} order by l.id limit ${AT_ONCE}`.execute(
      act.tx,
    );
    count = lines.length;
    after = lines.at(-1)?.id ?? 0;
    await mirrorAll(
      act,
      "bankLine",
      lines.map((line) => line.id),
    );
  }
  // marks that were taken off: what they booked is mirrored, and stays
  await sql`delete from bank_line_use u using bank_line l where l.id = u.bank_line_id and ${ofFile}`.execute(
    act.tx,
  );
  await sql`delete from bank_line l where ${ofFile}`.execute(act.tx);
}

async function mirrorAll(act: Act, sourceType: "bankLine" | "statement", sourceIds: number[]): Promise<void> {
  const posted = await entriesOf(act, { sourceType, sourceIds, events: ["E16"] });
  await post(
    act,
    posted.map((entry) =>
      mirrorOf(entry, {
        event: "E16",
        sourceType,
        sourceId: entry.sourceId,
        // after those of the file, of which there may be several
        seq: (entry.seq ?? 0) + (sourceType === "statement" ? posted.length : 1),
        businessDate: act.today,
        memo: "撤销导入",
      }),
    ),
  );
}

type Change = Partial<Record<"claimed" | "reserved" | "classified" | "returned", Fen>>;

/** What is taken of a locked line, or given back to it. */
export async function changeLine(act: Act, id: number, by: Change): Promise<void> {
  await sql`update bank_line set claimed = claimed + ${by.claimed ?? 0}, reserved = reserved + ${by.reserved ?? 0},
    classified = classified + ${by.classified ?? 0}, returned = returned + ${by.returned ?? 0}, version = version + 1
    where id = ${id}`.execute(act.tx);
}

/** Refuses what a locked line has no more of. */
export function needFree(line: Line, amount: Fen): void {
  const why = whyNotTake(line, amount);
  if (why) throw invalid({ field: "amount", msg: why });
}

export type Target = {
  /** The channel that settled, or the account of ours that it came from. */
  merchantAccountId?: number | undefined;
  /** The days that the channel settled. */
  from?: Day | undefined;
  to?: Day | undefined;
  /** Where it is owed back, and to whom. */
  villageId?: number | undefined;
  partyId?: number | undefined;
  /** The refund that it came back of, or that pays it back. */
  refundId?: number | undefined;
  note?: string | undefined;
};
type Use = { lineId: number; kind: OwnKind; amount: Fen; target: Target };

/**
 * Says that a part of a line is no customer's (E18): the one way out of 2242 beside claims and `takeFromLine`. Refused
 * beyond what is free. Answers the record that `unclassify` takes.
 */
export async function classify(
  act: Act,
  { lineId, kind, amount, target }: Use,
): Promise<{ id: number; line: Line }> {
  const line = await lineOf(act, lineId, true);
  needFree(line, amount);
  const against = await againstOf(act, line, { kind, amount, target });
  const id = await keepUse(act, line, {
    kind,
    amount,
    merchantAccountId: against.account?.id ?? null,
    dayFrom: target.from ?? null,
    dayTo: target.from ? (target.to ?? target.from) : null,
    ...(target.refundId && { byType: "refund", byId: target.refundId }),
    note: target.note ?? "",
  });
  const memo = `${USE_KIND[kind][0]}${target.note ? `：${target.note}` : ""}`;
  await post(act, [classifiedEntry({ id, kind, amount, memo }, line, against)]);
  await noteLine(act, line, "标记无需认领", `${memo}，${yuan(amount)} 元`);
  return { id, line };
}

async function againstOf(
  act: Act,
  line: Line,
  { kind, amount, target }: Omit<Use, "lineId">,
): Promise<Against> {
  if (kind === "interest") {
    await needHolder(act, line.accountId);
    return { villageId: line.holderVillageId };
  }
  if (kind === "refundReturn" || kind === "wrongTransfer")
    return { villageId: target.villageId!, partyId: target.partyId! };
  const of = { id: target.merchantAccountId ?? 0, enterpriseId: line.enterpriseId };
  if (kind === "channelSettle") {
    const account = await settlingChannel(act, of, amount);
    await needHolder(act, account.id);
    return { villageId: account.holderVillageId, account };
  }
  const account = await accountOf(act, of);
  if (account?.kind !== "bank" || account.id === line.accountId)
    throw invalid({ field: "merchantAccountId", msg: "请选择转出的银行账户" });
  await needHolder(act, account.id);
  return { villageId: account.holderVillageId, account };
}

type Kept = {
  kind: UseKind;
  amount: Fen;
  merchantAccountId?: number | null;
  dayFrom?: Day | null;
  dayTo?: Day | null;
  byType?: string;
  byId?: number;
  note?: string;
};
async function keepUse(act: Act, line: Line, use: Kept): Promise<number> {
  const { id } = await act.tx
    .insertInto("bankLineUse")
    .values({
      bankLineId: line.id,
      ...use,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await changeLine(act, line.id, {
    classified: use.amount,
    ...(use.kind === "wrongTransfer" && { returned: use.amount }),
  });
  return id;
}

export type StandingUse = {
  id: number;
  lineId: number;
  kind: UseKind;
  amount: Fen;
  byId: number | null;
  /** The account that it was booked with, where it is not the line's. */
  accountId: number | null;
};

const USE = sql`select id, bank_line_id "lineId", kind, amount, by_id "byId", merchant_account_id "accountId" from bank_line_use where undone_at is null`;

/** What was taken of a line and stands; 404 where it does not, or is another line's. */
export async function standingUseOf(read: Read, id: number, lineId?: number): Promise<StandingUse> {
  const { rows } = await sql<StandingUse>`${USE} and id = ${id}`.execute(read.tx);
  if (!rows[0] || (lineId !== undefined && rows[0].lineId !== lineId)) throw notFound();
  return rows[0];
}

/** What a refund took of a line and stands. */
export async function standingUse(read: Read, kind: UseKind, refundId: number): Promise<StandingUse> {
  const { rows } =
    await sql<StandingUse>`${USE} and kind = ${kind} and by_type = 'refund' and by_id = ${refundId}`.execute(
      read.tx,
    );
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** Takes it back, by the mirror of its entry: the line has the amount again. */
export async function unclassify(act: Act, useId: number, reason: string): Promise<Line> {
  const seen = await standingUseOf(act, useId);
  const line = await lockLine(act, seen.lineId);
  const use = await standingUseOf(act, useId);
  if (use.kind === "submission" || use.kind === "thirdParty") throw new Error(`use ${useId} is its record's`);
  const [posted] = await entriesOf(act, { sourceType: "bankLineUse", sourceIds: [useId], events: ["E18"] });
  const as = { event: "E18", sourceType: "bankLineUse", sourceId: useId, seq: 1 } as const;
  await post(act, [mirrorOf(posted!, { ...as, businessDate: act.today, memo: reason })]);
  await endUse(act, use);
  await noteLine(act, line, "取消标记", `${USE_KIND[use.kind][0]} ${yuan(use.amount)} 元：${reason}`);
  return line;
}

async function endUse(act: Act, use: StandingUse): Promise<void> {
  await sql`update bank_line_use set undone_at = ${act.now.toISOString()}, undone_by = ${act.who.operatorId || null}
    where id = ${use.id}`.execute(act.tx);
  await changeLine(act, use.lineId, {
    classified: -use.amount,
    ...(use.kind === "wrongTransfer" && { returned: -use.amount }),
  });
}

type Taker = { type: TakenKind; id: number };

/**
 * Takes a part of a line for a record that books it itself, out of 2242: the leg is `unclaimedLeg(line, amount)`. The
 * line is locked from here on; refused beyond what is free.
 */
export async function takeFromLine(act: Act, of: { lineId: number; amount: Fen; by: Taker }): Promise<Line> {
  const line = await lineOf(act, of.lineId, true);
  needFree(line, of.amount);
  await keepUse(act, line, { kind: of.by.type, amount: of.amount, byType: of.by.type, byId: of.by.id });
  await noteLine(act, line, "标记无需认领", `${USE_KIND[of.by.type][0]} ${yuan(of.amount)} 元`);
  return line;
}

/** What a record took of lines goes back to them; the mirror of its entry is the record's. */
export async function giveBackToLine(act: Act, by: Taker): Promise<void> {
  const { rows } = await sql<StandingUse>`${USE} and by_type = ${by.type} and by_id = ${by.id}
    order by bank_line_id, id`.execute(act.tx);
  for (const seen of rows) {
    const line = await lockLine(act, seen.lineId);
    await endUse(act, await standingUseOf(act, seen.id));
    await noteLine(act, line, "取消标记", `${USE_KIND[seen.kind][0]} ${yuan(seen.amount)} 元`);
  }
}

export type LineFound = Pick<
  Line,
  "id" | "accountId" | "accountName" | "day" | "amount" | "free" | "counterName" | "summary"
>;

/** Lines around a day with something free, the one nearest to an amount first; at most 20. */
export async function linesFor(
  read: Read,
  of: { amount: Fen; day: Day; around: number; accountId?: number | undefined },
): Promise<LineFound[]> {
  const { rows } = await sql<LineFound>`
    select l.id, l.merchant_account_id "accountId", a.name "accountName", l.day, l.amount, l.free,
      s.counter_name "counterName", s.summary
    from ${FROM} where ${ofEnterprise(read.who)} and l.free > 0
      and l.day between ${addDays(of.day, -of.around)} and ${addDays(of.day, of.around)}
      and (${of.accountId ?? null}::bigint is null or l.merchant_account_id = ${of.accountId ?? null})
    order by abs(l.free - ${of.amount}), abs(l.day - ${of.day}::date), l.id limit 20`.execute(read.tx);
  return rows;
}

export const noteLine = (
  act: Act,
  line: Pick<Line, "id" | "number" | "holderVillageId">,
  action: string,
  summary: string,
) =>
  act.note({
    kind: "bankLine",
    recordId: line.id,
    number: line.number,
    villageId: line.holderVillageId,
    action,
    summary,
  });
