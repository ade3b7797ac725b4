import { sql } from "kysely";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Act } from "../../platform/server/pipeline/act.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { actOf } from "../../platform/server/pipeline/pipeline.ts";
import { whoActs } from "../../domains/access/operator/scope.service.ts";
import { createAgency } from "../../domains/customer/agent/agency.service.ts";
import { createAgent } from "../../domains/customer/agent/agent.service.ts";
import { ariseCommissions } from "../../domains/customer/commission/arise.service.ts";
import { previewBill, settle } from "../../domains/customer/commission/bill.service.ts";
import { clawEarly, voidOne } from "../../domains/customer/commission/claw.service.ts";
import { lockCommissions } from "../../domains/customer/commission/commission.queries.ts";
import { createRule } from "../../domains/customer/commission-rule/rule.service.ts";
import { houseAt } from "../acting.ts";
import { chanceOf } from "../random.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher };

const AGENCIES = ["邻里安家经纪", "青橙找房服务", "顺路居中介行"];
/** Name, and which agency; none: on his own. */
const AGENTS: readonly (readonly [string, number | null])[] = [
  ["周启明", 0],
  ["罗子昂", 0],
  ["唐一诺", 1],
  ["何立群", 1],
  ["黎珊", 2],
  ["温言", null],
];
const DEALS = 12;

type Signed = {
  contractId: number;
  villageId: number;
  partyId: number;
  name: string;
  phone: string;
  signedOn: Day;
  start: Day;
};

/** Contracts of the last quarter that an agent may have brought. */
const lately = async ({ db }: Store, today: Day): Promise<Signed[]> =>
  (
    await sql<Signed>`
      select distinct on (p.phone) c.id "contractId", c.village_id "villageId", p.id "partyId", p.name, p.phone,
        c.signed_on "signedOn", c.start_date "start"
      from contract c join renter r on r.id = c.party_id join party p on p.id = r.id
      where c.source = 'new' and c.kind = 'renter' and c.state = 'effective' and c.signed_on between ${addDays(today, -120)}::date and ${today}::date
        and not exists (select 1 from lead l where l.phone = p.phone)
      order by p.phone, c.id limit ${DEALS}`.execute(db)
  ).rows;

/** Who brings customers to the demo company, by which rule they are paid, and what they have earned. */
export async function makeAgents(store: Store, keeperId: number, ownerId: number, today: Day): Promise<void> {
  const { db } = store;
  const who = await whoActs(db, keeperId);
  const acting = <T>(day: Day, work: (act: Act) => Promise<T>): Promise<T> => {
    const house = houseAt(store, new Date(`${day}T10:30:00+08:00`));
    return db
      .transaction()
      .execute((tx) => work(actOf(house, tx, who, { requestId: "demo", ip: "", userAgent: "demo" })));
  };
  const chance = chanceOf(115);
  let count = 0;
  const phone = () => `1390000${String(7100 + ++count)}`;
  const began = addDays(today, -300);
  const villageIds = [...who.villages];
  const rule = {
    base: "monthRent" as const,
    cap: null,
    payAfterDays: 7,
    clawMode: "proRata" as const,
    renewals: false,
    fromDay: began,
    toDay: null,
  };
  const standard = await acting(began, (act) =>
    createRule(act, {
      ...rule,
      name: "标准佣金",
      clawDays: 90,
      tiers: [
        { fromMonths: 0, percent: "30" },
        { fromMonths: 6, percent: "50" },
        { fromMonths: 12, percent: "100" },
      ],
    }),
  );
  const own = await acting(began, (act) =>
    createRule(act, {
      ...rule,
      name: "独立经纪人佣金",
      clawDays: 60,
      cap: 300_000,
      tiers: [{ fromMonths: 3, percent: "60" }],
    }),
  );
  const bank = (holder: string) => ({
    bankHolder: holder,
    bankName: "招商银行",
    bankBranch: "滨江支行",
    bankNo: `62258801${String(chance.int(10_000_000, 99_999_999))}`,
  });
  const agencies: number[] = [];
  for (const [i, name] of AGENCIES.entries()) {
    const { id } = await acting(began, (act) =>
      createAgency(act, {
        name,
        contact: AGENTS[i * 2]![0],
        phone: phone(),
        villageIds,
        fromDay: began,
        toDay: i === 2 ? addDays(today, 65) : null,
        ruleId: standard.id,
        ...bank(name),
        fileIds: [],
      }),
    );
    agencies.push(id);
  }
  const agents: number[] = [];
  for (const [name, agency] of AGENTS) {
    const { id } = await acting(began, (act) =>
      createAgent(act, {
        name,
        phone: phone(),
        agencyId: agency === null ? null : agencies[agency]!,
        ruleId: agency === null ? own.id : null,
        villageIds,
        ...bank(name),
      }),
    );
    agents.push(id);
  }
  // leads that are still being looked after
  await sql`update lead l set source = 'agent', agent_id = (${agents}::bigint[])[1 + l.id % ${agents.length}]
    where l.state in ('following', 'viewed') and l.owner_id = ${ownerId} and l.id % 3 = 0`.execute(db);

  const deals = await lately(store, today);
  for (const [i, deal] of deals.entries())
    await acting(deal.signedOn, async (act) => {
      const [number] = await act.numbers("KY");
      const at = (back: number) => `${addDays(deal.signedOn, -back)}T09:40:00+08:00`;
      await act.tx
        .insertInto("lead")
        .values({
          number: number!,
          enterpriseId: who.enterpriseId,
          name: deal.name,
          phone: deal.phone,
          source: "agent",
          agentId: agents[[0, 2, 0, 4, 5, 1, 3, 0, 2, 4, 1, 5][i % 12]!]!,
          villageIds: [deal.villageId],
          state: "signed",
          ownerId,
          ownedAt: at(9),
          followingAt: at(8),
          viewedAt: at(5),
          signedAt: `${deal.signedOn}T10:00:00+08:00`,
          lastFollowAt: at(2),
          renterId: deal.partyId,
          contractId: deal.contractId,
          createdAt: at(9),
          createdBy: ownerId,
        })
        .execute();
      await ariseCommissions(act, [deal.contractId]);
    });
  await settleSome(acting, deals, today);
}

/** One tenant left early, one commission was a mistake, and the oldest of one payee are on a bill. */
async function settleSome(
  acting: <T>(day: Day, work: (act: Act) => Promise<T>) => Promise<T>,
  deals: readonly Signed[],
  today: Day,
): Promise<void> {
  const early = deals.find((d) => d.start <= addDays(today, -20) && d.start >= addDays(today, -85));
  if (early) await acting(today, (act) => clawEarly(act, early.contractId, addDays(today, -1)));
  await acting(today, async (act) => {
    const { rows } = await sql<{ id: number; nth: number }>`
      select id, row_number() over (order by id desc)::int nth from commission
      where kind <> 'claw' and state = 'owed' and not exists (select 1 from commission x where x.claws_id = commission.id)
      order by id`.execute(act.tx);
    const mistaken = rows.find((row) => row.nth === 1);
    if (mistaken && rows.length > 3) {
      const [row] = await lockCommissions(act, [mistaken.id]);
      await voidOne(act, row!, "客户为门店自访，非经纪人带看");
    }
  });
  await acting(today, async (act) => {
    const { rows } = await sql<{ ids: number[] }>`
      select array_agg(id order by id) ids from commission
      where state = 'owed' and kind <> 'claw' and amount > 0 and payable_from <= ${act.today}::date
        and not exists (select 1 from commission x where x.claws_id = commission.id)
      group by village_id, coalesce(agency_id, 0), case when agency_id is null then agent_id end
      order by count(*) desc, min(id) limit 2`.execute(act.tx);
    for (const { ids } of rows) {
      const { hash } = await previewBill(act, ids);
      await settle(act, ids, hash);
    }
  });
}
