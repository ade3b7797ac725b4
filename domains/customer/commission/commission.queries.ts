import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import type { CommissionFilter, listCommissions } from "./commission.contract.ts";
import type { COMMISSION_KINDS, CommissionState, Explained } from "./commission.rules.ts";
import { COMMISSIONS, STATE } from "./owed.queries.ts";

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
  left join lateral (select f.id, f.flow_no from allocation x join flow f on f.id = x.flow_id
    where x.bill_id = c.bill_id and x.amount > 0 and not exists (select 1 from allocation u where u.undoes_id = x.id)
    order by x.id desc limit 1) paid on true`;

function where(read: Read, f: CommissionFilter): RawBuilder<unknown> {
  const like = containing(f.keyword ?? "");
  const all = [
    sql`c.village_id = ${anyOf(villagesOf(read.who, f.villageIds))}`,
    ...(f.agencyId ? [sql`c.agency_id = ${f.agencyId}`] : []),
    ...(f.agentId ? [sql`c.agent_id = ${f.agentId}`] : []),
    ...(f.state?.length ? [sql`${STATE} = any(${f.state as string[]}::text[])`] : []),
    ...(f.payableFrom ? [sql`c.payable_from >= ${f.payableFrom}::date`] : []),
    ...(f.payableTo ? [sql`c.payable_from <= ${f.payableTo}::date`] : []),
    ...(f.keyword
      ? [
          sql`(c.number ilike ${like} or c.contract_id in (select id from contract_brief
            where contract_no ilike ${like} or room_names ilike ${like} or party_name ilike ${like})
            or c.agent_id in (select id from agent where name ilike ${like}))`,
        ]
      : []),
  ];
  return sql.join(all, sql` and `);
}

const SORTS = {
  createdAt: sql`c.id`,
  signedOn: sql`c.signed_on`,
  payableFrom: sql`c.payable_from`,
  amount: sql`c.amount`,
};

type Sums = Record<CommissionState | "amount", number> & { total: number };

export async function commissionList(read: Read, query: z.output<typeof listCommissions.query>) {
  const filter = where(read, query);
  const by = SORTS[query.sort ?? "createdAt"];
  const order = sql.raw(query.order ?? "desc");
  const page = sql<Raw>`
    with f as (select c.id, row_number() over (order by ${by} ${order}, c.id desc) place from ${COMMISSIONS}
      where ${filter} order by ${by} ${order}, c.id desc ${pageEnd(query)})
    select ${COLUMNS} from f join commission c on c.id = f.id left join bill b on b.id = c.bill_id ${BESIDE}
    order by f.place`;
  const of = (state: CommissionState) =>
    sql`coalesce(sum(c.amount) filter (where ${STATE} = ${state}), 0)::bigint as ${sql.ref(state)}`;
  const totals = sql<Sums>`
    select count(*)::int total, coalesce(sum(c.amount) filter (where c.state <> 'void'), 0)::bigint amount,
      ${of("owed")}, ${of("settling")}, ${of("paid")}, ${of("clawed")}, ${of("void")}
    from ${COMMISSIONS} where ${filter}`;
  const list = query.want === "totals" ? [] : (await page.execute(read.tx)).rows;
  if (query.want === "rows") return { list, total: null, sums: null };
  const { total, ...sums } = (await totals.execute(read.tx)).rows[0]!;
  return { list, total, sums };
}

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
