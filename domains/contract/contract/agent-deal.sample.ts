import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { addAgent } from "../../customer/agent/agent.contract.ts";
import {
  CHANNELS,
  contractsSigned,
  typedAgent,
  typedRule,
} from "../../customer/commission/commission.sample.ts";
import { addRule } from "../../customer/commission-rule/rule.contract.ts";
import { addLead } from "../../customer/lead/lead.contract.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { aForm, aShop, LEASING, signed, type Shop } from "./contract.sample.ts";

export type Desk = Shop & { keeper: Person; stranger: Person; ruleId: number; agentId: number };

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
