import type { Person, TestHouse } from "../../../platform/server/house.sample.ts";
import { aForm, aShop, LEASING, signed, type Shop } from "../../contract/contract/contract.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { perform } from "../../../platform/server/jobs.ts";
import { randomUUID } from "node:crypto";
import { addAgent } from "../agent/agent.contract.ts";
import { addLead } from "../lead/lead.contract.ts";
import leadJobs from "../lead/lead.job.ts";
import commissionJobs from "./commission.job.ts";
import { billCommissions, listCommissions, previewCommissionBill } from "./commission.contract.ts";
import { addRule } from "./rule.contract.ts";

export const CHANNELS = [
  "115.query",
  "115.get",
  "115.add",
  "115.edit",
  "115.delete",
  "115.enable",
  "115.disable",
  "115.import",
  "115.export",
  "#11501",
  "#11502",
  "#11503",
];

export type Desk = Shop & { keeper: Person; stranger: Person; ruleId: number; agentId: number };

/** 0–5 months 30 %, 6–11 50 %, from 12 on a whole month's rent; taken back within 90 days by what is left of them. */
export const typedRule = (more: object = {}) => ({
  name: "标准佣金",
  base: "monthRent" as const,
  tiers: [
    { fromMonths: 0, percent: "30" },
    { fromMonths: 6, percent: "50" },
    { fromMonths: 12, percent: "100.00" },
  ],
  clawDays: 90,
  clawMode: "proRata" as const,
  fromDay: "2026-01-01",
  ...more,
});

let phones = 0;
export const typedAgent = (desk: { villageId: number; ruleId: number }, more: object = {}) => ({
  name: "周启明",
  phone: `136${String(30_000_000 + ++phones)}`,
  villageIds: [desk.villageId],
  ruleId: desk.ruleId,
  ...more,
});

/** A store with room 1203, the standard rule and an agent on his own; somebody who keeps agents, and a stranger. */
export async function anAgentDesk(
  house: TestHouse,
  more: { permits?: string[]; village?: string } = {},
): Promise<Desk> {
  const shop = await aShop(house, {
    permits: ["15.query", "15.add", "15.get", "15.edit"],
    ...(more.village && { village: more.village }),
  });
  const permits = [
    ...CHANNELS,
    ...LEASING,
    "15.query",
    "15.add",
    "#1502",
    "102.add",
    ...(more.permits ?? []),
  ];
  const keeper = await house.person({ permits, villages: [shop.villageId], name: "许文静" });
  const stranger = await house.person({
    permits,
    villages: [await aVillage(house, more.village ? { name: `${more.village}之外` } : {})],
  });
  const { id: ruleId } = await house.did(addRule, { as: keeper }, { body: typedRule() });
  const { id: agentId } = await house.did(
    addAgent,
    { as: keeper },
    { body: typedAgent({ villageId: shop.villageId, ruleId }) },
  );
  return { ...shop, keeper, stranger, ruleId, agentId };
}

const run = (house: TestHouse, name: string, data: Record<string, unknown>) =>
  perform(
    house,
    [...leadJobs, ...commissionJobs].find((j) => j.name === name)!,
    data,
    randomUUID(),
  );

/** The news that contracts came into force, delivered (again). */
export const contractsSigned = (house: TestHouse, contractIds: readonly number[]) =>
  run(house, "lead.signed", { contracts: contractIds.map((contractId) => ({ contractId })) });
/** News of another kind, delivered. */
export const news = (house: TestHouse, job: string, data: Record<string, unknown>) => run(house, job, data);

/** A lead that an agent brought becomes a contract, signed on a day, of so many months at 3,000.00. */
export async function aDeal(
  house: TestHouse,
  desk: Desk,
  deal: {
    partyId: number;
    roomId: number;
    phone: string;
    months?: number;
    start?: string;
    signedOn?: string;
    agentId?: number;
  },
): Promise<number> {
  await house.did(
    addLead,
    { as: desk.clerk },
    {
      body: {
        name: "沈知夏",
        phone: deal.phone,
        source: "agent",
        agentId: deal.agentId ?? desk.agentId,
        villageIds: [desk.villageId],
      },
    },
  );
  const form = aForm(
    { ...desk, roomId: deal.roomId, partyId: deal.partyId },
    { months: deal.months ?? 12, rent: 300_000, start: deal.start ?? "2026-12-01" },
  );
  const { id } = await signed(house, desk.clerk, form, deal.signedOn ?? "2026-11-20");
  await contractsSigned(house, [id]);
  return id;
}

export const commissionsOf = async (house: TestHouse, desk: Desk, query: object = {}) =>
  house.did(
    listCommissions,
    { as: desk.keeper },
    { query: { sort: "createdAt", order: "asc", ...query } as never },
  );

/** Looks at the bill of some commissions and makes it. */
export async function billing(house: TestHouse, desk: Desk, ids: number[], key = randomUUID()) {
  const { hash } = await house.did(previewCommissionBill, { as: desk.keeper }, { body: { ids } });
  return house.ask(billCommissions, { as: desk.keeper, key }, { body: { ids, previewHash: hash } });
}
