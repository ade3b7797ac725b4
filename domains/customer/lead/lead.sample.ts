import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { addLead } from "./lead.contract.ts";

const CONSULTANT = ["15.query", "15.get", "15.add", "15.edit", "15.delete"];

/** Two stores; two consultants and a head at the first, a consultant at the other. */
export async function aLettingOffice(house: TestHouse) {
  const here = await aVillage(house);
  const there = await aVillage(house);
  const [zhao, li] = await Promise.all([
    house.person({ permits: CONSULTANT, villages: [here], name: "赵思源" }),
    house.person({ permits: CONSULTANT, villages: [here], name: "李四" }),
  ]);
  const head = await house.person({
    permits: [...CONSULTANT, "15.export", "#1501", "#1502"],
    villages: [here],
    name: "陈嘉禾",
  });
  const stranger = await house.person({
    permits: [...CONSULTANT, "#1501", "#1502"],
    villages: [there],
    name: "远店顾问",
  });
  return { here, there, zhao, li, head, stranger };
}

const next = counter();
export const typedLead = (villageId: number, more: object = {}) => ({
  name: "沈知夏",
  phone: `139${String(10_000_000 + next())}`,
  source: "walkIn",
  villageIds: [villageId],
  ...more,
});

export const aLead = async (house: TestHouse, as: Person, villageId: number, more: object = {}) =>
  (await house.did(addLead, { as }, { body: typedLead(villageId, more) })).id;
