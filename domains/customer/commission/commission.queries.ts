import { type RawBuilder, sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import {
  amongWords,
  from,
  is,
  keyword,
  named,
  phrase,
  to,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { COMMISSIONS } from "../agent/earned.queries.ts";
import { listCommissions } from "./commission.contract.ts";
import type { COMMISSION_KINDS, CommissionState, Explained } from "../commission-rule/commission.rules.ts";

/** A commission reads 已支付 when its bill does, so that the two never disagree. */
export const STATE = sql<string>`case when c.state = 'settling' and b.status = 'paid' then 'paid' else c.state end`;
type Kind = keyof typeof COMMISSION_KINDS;
type Raw = {
  id: number;
  number: string;
  kind: Kind;
  agentId: number;
  agentName: string;
  agencyId: number | null;
  agencyName: string;
  villageId: number;
  villageName: string;
  contractId: number;
  contractKind: "renter" | "company" | "merchant";
  contractNo: string;
  roomId: number | null;
  roomName: string;
  signedOn: string;
  base: number;
  ruleName: string;
  amount: number;
  payableFrom: string;
  state: CommissionState;
  billId: number | null;
  billNo: string;
  flowId: number | null;
  flowNo: string;
  left: number;
  waiting: boolean;
  version: number;
};

/** A contract and those before it that its tenant left for another room: a commission of any of them is for this tenancy. */
export const TENANCY = (contractId: RawBuilder<unknown>) => sql`(with recursive t as (
    select id, source, previous_id from contract_brief where id = ${contractId}
    union all select b.id, b.source, b.previous_id from t join contract_brief b on b.id = t.previous_id
    where t.source = 'changeRoom') select id from t)`;

/** What a commission is worth after the lines that took some of it back. */
export const LEFT = sql<number>`(c.amount + coalesce((select sum(k.amount) from commission k
  where k.claws_id = c.id and k.state <> 'void'), 0))::bigint`;

const COLUMNS = sql`c.id, c.number, c.kind, c.agent_id "agentId", a.name "agentName", c.agency_id "agencyId",
  coalesce(g.name, '') "agencyName", c.village_id "villageId", v.name "villageName", c.contract_id "contractId",
  t.kind "contractKind", t.contract_no "contractNo", main.room_id "roomId", t.room_names "roomName",
  c.signed_on "signedOn", c.base, r.name "ruleName", c.amount, c.payable_from "payableFrom", ${STATE} state,
  c.bill_id "billId", coalesce(b.bill_no, '') "billNo", paid.id "flowId", coalesce(paid.flow_no, '') "flowNo",
  ${LEFT} "left", c.state = 'settling' and c.bill_id is null waiting, c.version`;

const BESIDE = sql`join agent a on a.id = c.agent_id left join agency g on g.id = c.agency_id
  join village v on v.id = c.village_id join contract_brief t on t.id = c.contract_id
  join commission_rule r on r.id = c.rule_id
  left join lateral (select room_id from contract_room_brief where contract_id = c.contract_id order by seq limit 1) main on true
  left join lateral (select f.id, f.flow_no from allocation_standing x join flow f on f.id = x.flow_id
    where x.bill_id = c.bill_id order by x.id desc limit 1) paid on true`;

const of = (state: CommissionState) =>
  sql`coalesce(sum(c.amount) filter (where ${STATE} = ${state}), 0)::bigint as ${sql.ref(state)}`;
export const commissions = listOf(listCommissions, {
  id: "c.id",
  from: COMMISSIONS,
  village: "c.village_id",
  where: {
    agencyId: is("c.agency_id"),
    agentId: is("c.agent_id"),
    state: amongWords(STATE),
    payableFrom: from("c.payable_from"),
    payableTo: to("c.payable_from"),
    keyword: keyword(
      phrase("c.number"),
      (text) => sql`c.contract_id in (select id from contract_brief
        where ${phrase("contract_no")(text)} or ${named("room_names", "party_name")(text)})`,
      (text) => sql`c.agent_id in (select id from agent where ${phrase("name")(text)})`,
    ),
  },
  sort: {
    createdAt: { by: "c.id", indexed: true },
    signedOn: "c.signed_on",
    payableFrom: "c.payable_from",
    amount: "c.amount",
  },
  order: "createdAt",
  columns: sql<Raw>`${COLUMNS}`,
  join: sql`join commission c on c.id = page.id left join bill b on b.id = c.bill_id ${BESIDE}`,
  sums: {
    select: sql`coalesce(sum(c.amount) filter (where c.state <> 'void'), 0)::bigint amount,
      ${of("owed")}, ${of("settling")}, ${of("paid")}, ${of("clawed")}, ${of("void")}`,
  },
});

export async function commissionDetail(read: Read, id: number) {
  const { rows } = await sql<
    Raw & {
      explain: Explained;
      reason: string;
      partyName: string;
      ownerName: string;
      createdAt: string;
      clawsId: number | null;
    }
  >`select ${COLUMNS}, c.explain, c.reason, t.party_name "partyName", coalesce(o.real_name, '') "ownerName",
      c.created_at "createdAt", c.claws_id "clawsId"
    from ${COMMISSIONS} ${BESIDE} left join operator o on o.id = c.owner_id
    where c.id = ${id} and c.village_id = ${anyOf(read.who.villages)}`.execute(read.tx);
  const row = rows[0];
  if (!row) throw notFound();
  const claws = await sql<{
    id: number;
    number: string;
    kind: Kind;
    amount: number;
    formula: string;
    state: CommissionState;
  }>`select c.id, c.number, c.kind, c.amount, c.explain->>'formula' formula, ${STATE} state
    from ${COMMISSIONS} where c.claws_id = ${id} or c.id = ${row.clawsId} order by c.id`.execute(read.tx);
  return { ...row, claws: claws.rows };
}

export type Commission = Raw & { reason: string; bankText: string; clawsId: number | null };

/** Commissions as acts work with them, locked in the order of their ids. Whoever acts is checked by the caller. */
export async function lockCommissions(
  act: Pick<Read, "tx">,
  ids: readonly number[],
  lock = true,
): Promise<Commission[]> {
  if (lock)
    await sql`select 1 from commission where id = any(${ids as number[]}::bigint[]) order by id for update`.execute(
      act.tx,
    );
  const { rows } = await sql<Commission>`
    select ${COLUMNS}, c.reason, c.claws_id "clawsId", (select concat_ws(' ', nullif(p.bank_holder, ''),
      nullif(concat_ws('', p.bank_name, p.bank_branch), ''), nullif(p.bank_no_masked, ''))
      from (select g.bank_holder, g.bank_name, g.bank_branch, g.bank_no_masked where g.id is not null
        union all select a.bank_holder, a.bank_name, a.bank_branch, a.bank_no_masked where g.id is null) p) "bankText"
    from ${COMMISSIONS} ${BESIDE} where c.id = any(${ids as number[]}::bigint[]) order by c.id`.execute(
    act.tx,
  );
  return rows;
}
