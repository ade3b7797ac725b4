import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { tell } from "../../system/message/message.service.ts";
import { type Commission, TENANCY, lockCommissions } from "./commission.queries.ts";
import {
  COMMISSION_MOVES,
  type ClawMode,
  type Explained,
  clawedBy,
} from "../commission-rule/commission.rules.ts";

type Noted = { id: number; number: string; villageId: number };

export const noteCommission = (act: Act, of: Noted, action: string, summary: string): Promise<void> =>
  act.note({
    kind: "commission",
    recordId: of.id,
    number: of.number,
    villageId: of.villageId,
    action,
    summary,
  });

/** Whoever looks after the customer hears what the customer's agent gets. */
export const tellOwner = async (
  act: Act,
  of: Noted & { ownerId: number | null },
  title: string,
  content: string,
  once: string,
): Promise<void> => {
  if (!of.ownerId) return;
  await tell(act, {
    to: [of.ownerId],
    type: 4,
    title,
    content,
    bizType: "commission",
    bizId: of.id,
    villageId: of.villageId,
    once,
  });
};

constraintSays("commission_claw_fits", { field: "amount", msg: "扣回金额不能大于未扣回的佣金" });

/** A commission in scope, locked and as its editor saw it. */
export async function ownCommission(act: Act, id: number, version: number): Promise<Commission> {
  const [row] = await lockCommissions(act, [id]);
  if (!row || !act.who.villages.includes(row.villageId)) throw notFound();
  asSeen(row, version);
  return row;
}

const setState = (act: Act, ids: readonly number[], state: string, reason?: string) =>
  sql`update commission set state = ${state}, version = version + 1, updated_at = ${act.now.toISOString()},
      updated_by = ${act.who.operatorId || null} ${reason ? sql`, reason = ${reason}` : sql``}
    where id = any(${ids as number[]}::bigint[])`.execute(act.tx);

type Claw = { amount: Fen; explain: Explained; byHand: boolean; reason: string };

/** The counter line of a locked commission. */
async function takeBack(act: Act, of: Commission, claw: Claw): Promise<{ id: number; number: string }> {
  const [number] = await act.numbers("YJ");
  const { rows } = await sql<{ id: number }>`
    insert into commission (number, enterprise_id, village_id, contract_id, kind, claws_id, by_hand, agent_id, agency_id,
      rule_id, signed_on, base, amount, explain, payable_from, owner_id, reason, created_at, created_by)
    select ${number}, enterprise_id, village_id, contract_id, 'claw', id, ${claw.byHand}, agent_id, agency_id, rule_id,
      signed_on, amount, ${-claw.amount}::bigint, ${JSON.stringify(claw.explain)}::jsonb, ${act.today}::date, owner_id,
      ${claw.reason}, ${act.now.toISOString()}, ${act.who.operatorId || null}
    from commission where id = ${of.id} returning id`.execute(act.tx);
  const { id } = rows[0]!;
  await sql`update commission set version = version + 1 where id = ${of.id}`.execute(act.tx);
  if (of.left === claw.amount) await closeTaken(act, of);
  const summary = `扣回佣金 ${of.number} ${yuan(claw.amount)} 元：${claw.reason}`;
  await noteCommission(act, of, "扣回", summary);
  await noteCommission(act, { id, number: number!, villageId: of.villageId }, "产生", summary);
  return { id, number: number! };
}

/** All of it is taken back. What was never paid cancels its counter lines; what was paid leaves them to be set off. */
async function closeTaken(act: Act, of: Commission): Promise<void> {
  if (of.state === "paid") return void (await setState(act, [of.id], "clawed"));
  if (of.state !== "owed") return;
  const lines = await act.tx
    .selectFrom("commission")
    .select(["id", "state"])
    .where("clawsId", "=", of.id)
    .execute();
  if (lines.every((line) => line.state === "owed"))
    await setState(act, [of.id, ...lines.map((line) => line.id)], "clawed");
}

export async function clawByHand(
  act: Act,
  id: number,
  { amount, reason, version }: { amount: Fen; reason: string; version: number },
): Promise<{ id: number; number: string }> {
  const row = await ownCommission(act, id, version);
  COMMISSION_MOVES.next("claw", { ...row, status: row.state });
  if (amount > row.left)
    throw invalid({ field: "amount", msg: `扣回金额不能大于未扣回的佣金 ${yuan(row.left)}` });
  const explain = { rule: "手工扣回", inputs: reason, formula: `扣回 ${yuan(amount)}` };
  return takeBack(act, row, { amount, explain, byHand: true, reason });
}

/** What is not owed after all, while nothing was paid: its counter lines go with it. */
export async function voidOne(act: Act, row: Commission, reason: string): Promise<void> {
  COMMISSION_MOVES.next("void", { ...row, status: row.state });
  const lines = await act.tx
    .selectFrom("commission")
    .select(["id", "state"])
    .where("clawsId", "=", row.id)
    .execute();
  if (lines.some((line) => line.state !== "owed"))
    throw new Refusal("notAllowed", "该佣金的扣回已结算，不能作废", 409);
  await setState(act, [row.id, ...lines.map((line) => line.id)], "void", reason);
  await noteCommission(act, row, "作废", `作废佣金 ${row.number}：${reason}`);
}

type Left = { id: number; start: Day; clawDays: number; clawMode: ClawMode };

/** What leavings have taken of a locked commission; a line stays where it was settled before its leaving was undone. */
async function takenBefore(act: Act, id: number): Promise<Fen> {
  const { rows } = await sql<{ fen: Fen }>`select coalesce(-sum(amount), 0)::bigint fen from commission
    where claws_id = ${id} and not by_hand and state <> 'void'`.execute(act.tx);
  return rows[0]!.fen;
}

/**
 * A tenant left before the end of the term: within the days of the rule some or all of the commission is taken back, by
 * a line of its own, less what leavings have taken before: told twice it is counted once. Who changed rooms meanwhile is counted
 * from the first of them.
 */
export async function clawEarly(act: Act, contractId: number, left: Day): Promise<void> {
  const { rows } = await sql<Left>`
    select m.id, b.start_date "start", r.claw_days "clawDays", r.claw_mode "clawMode"
    from contract_brief c join commission m on m.contract_id in ${TENANCY(sql`c.id`)}
    join contract_brief b on b.id = m.contract_id join commission_rule r on r.id = m.rule_id
    where c.id = ${contractId} and m.kind <> 'claw' and m.state not in ('void', 'clawed') and r.claw_days > 0
      and c.end_date > ${left}::date and c.next_id is null order by m.id`.execute(act.tx);
  for (const of of rows) {
    const [row] = await lockCommissions(act, [of.id]);
    const claw = clawedBy(of, { amount: row!.amount, start: of.start, left });
    if (!claw) continue;
    const before = await takenBefore(act, of.id);
    const amount = Math.min(claw.amount - before, row!.left);
    if (amount <= 0) continue;
    const { formula } = claw.explain;
    await takeBack(act, row!, {
      amount,
      explain: { ...claw.explain, ...(before && { formula: `${formula}，已扣回 ${yuan(before)}` }) },
      byHand: false,
      reason: `租客于 ${left} 提前退租`,
    });
  }
}

/**
 * The leaving that took commissions of a contract back was undone: so is what it took, but for what was settled with the
 * payee meanwhile, which stays and is told.
 */
export async function returnClawed(act: Act, contractId: number): Promise<void> {
  const { rows } = await sql<{ id: number; clawsId: number; ownerId: number | null }>`
    select m.id, m.claws_id "clawsId", m.owner_id "ownerId"
    from (with recursive t as (
        select id, next_id from contract_brief where id = ${contractId}
        union all select n.id, n.next_id from t join contract_brief n on n.id = t.next_id and n.source = 'changeRoom')
      select max(id) id from t) last
    join contract_brief c on c.id = last.id join commission m on m.contract_id in ${TENANCY(sql`c.id`)}
    where m.kind = 'claw' and not m.by_hand and m.state <> 'void'
      and c.leave_date is null and c.state <> 'voided' order by m.id`.execute(act.tx);
  for (const { id, clawsId, ownerId } of rows) {
    const [of, line] = await lockCommissions(act, [clawsId, id]);
    const amount = `${yuan(-line!.amount)} 元`;
    if (line!.state === "settling" || line!.state === "paid") {
      const said = `退租已撤销，但扣回 ${line!.number} ${amount}已${line!.billNo ? `随账单 ${line!.billNo} ` : ""}结算，不再退回，请与收款方核对`;
      await noteCommission(act, of!, "扣回保留", said);
      await tellOwner(
        act,
        { ...line!, ownerId },
        `佣金扣回未退回：${line!.agentName}`,
        said,
        `commission.clawKept.${id}`,
      );
      continue;
    }
    const reason = "退租已撤销";
    await setState(act, [id], "void", reason);
    // what it closed is open again: paid by its bill, or owed
    await sql`update commission set state = case when batch_id is null then 'owed' else 'settling' end,
        version = version + 1, updated_at = ${act.now.toISOString()}, updated_by = ${act.who.operatorId || null}
      where (id = ${clawsId} or claws_id = ${clawsId}) and state = 'clawed'`.execute(act.tx);
    const summary = `${reason}，扣回 ${line!.number} ${amount}作废`;
    await noteCommission(act, of!, "退回扣回", summary);
    await noteCommission(act, line!, "作废", summary);
  }
}

/** A contract that is undone has earned nothing: what is owed goes, what was settled is taken back. */
export async function undoContract(act: Act, contractId: number): Promise<void> {
  const ids = await act.tx
    .selectFrom("commission")
    .select("id")
    .where("contractId", "=", contractId)
    .where("kind", "<>", "claw")
    .where("state", "in", ["owed", "settling"])
    .orderBy("id")
    .execute();
  for (const { id } of ids) {
    const [row] = await lockCommissions(act, [id]);
    const reason = `合同 ${row!.contractNo} 已作废`;
    if (row!.state === "owed" && row!.left === row!.amount && row!.left > 0) await voidOne(act, row!, reason);
    else if (row!.left > 0)
      await takeBack(act, row!, {
        amount: row!.left,
        explain: { rule: "合同作废全部扣回", inputs: reason, formula: `扣回 ${yuan(row!.left)}` },
        byHand: false,
        reason,
      });
  }
}
