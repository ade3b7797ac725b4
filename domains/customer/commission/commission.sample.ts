import { counter } from "../../../platform/server/database/counter.sample.ts";
import { randomUUID } from "node:crypto";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import leadJobs from "../lead/lead.job.ts";
import { billCommissions, listCommissions, previewCommissionBill } from "./commission.contract.ts";
import commissionJobs from "./commission.job.ts";

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

type Desk = { keeper: Person };

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

const next = counter();
export const typedAgent = (desk: { villageId: number; ruleId: number }, more: object = {}) => ({
  name: "周启明",
  phone: `136${String(30_000_000 + next())}`,
  villageIds: [desk.villageId],
  ruleId: desk.ruleId,
  ...more,
});

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
