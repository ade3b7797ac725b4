import type { Reply } from "../../../platform/kernel/call.ts";
import type { Answered, Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { type Decide, decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, from, otherwise } from "../../approval/module/module.sample.ts";
import { getBill } from "../bill-list/bill.contract.ts";
import { aBill, aLine } from "../bill/bill.sample.ts";
import { type Billed, aBilledStore } from "../bill/billed.sample.ts";
import { voidBill } from "./acts.contract.ts";

export type Approved = Billed & {
  admin: Person;
  manager: Person;
  region: Person;
  fallback: Person;
  /** Voids of 2,000.00 and more ask manager and region, of 1,000.00 and more the manager, others nobody. */
  moduleId: number;
  bill: (amount: number) => Promise<number>;
  voiding: (id: number) => Promise<{ examineId: number | null }>;
  examine: (id: number | null, as: Person) => Promise<Reply<typeof getExamine>>;
  decide: (
    id: number | null,
    as: Person,
    decision: Decide["decision"],
    more?: Partial<Decide>,
  ) => Promise<Answered<Reply<typeof decideExamine>>>;
  statusOf: (id: number) => Promise<string>;
  /** Titles of the messages of somebody, without the number. */
  told: (person: Person) => Promise<string[]>;
};

/** A billed store in which voids above amounts wait for approval. */
export async function anApprovedStore(house: TestHouse): Promise<Approved> {
  const world = await aBilledStore(house);
  const { store, clerk } = world;
  const villages = [store.villageId];
  const admin = await house.person({ superType: "1", name: "许承锦" });
  const manager = await house.person({ villages, permits: ["26.query"], name: "陈嘉禾" });
  const region = await house.person({ villages, permits: ["26.query"], name: "罗佳宁" });
  const fallback = await house.person({ villages, name: "郭晓东" });
  const module = await aModule(house, admin, {
    villageIds: villages,
    fallback,
    processes: [
      from(200_000, asking("店长", [manager]), asking("区域经理", [region], { remindHours: 2 })),
      from(100_000, asking("店长", [manager])),
      otherwise(),
    ],
  });
  let key = 0;
  const billOf = (id: number) => house.did(getBill, { as: clerk }, { params: { id } });
  const examine: Approved["examine"] = (id, as) => house.did(getExamine, { as }, { params: { id: id! } });
  return {
    ...world,
    admin,
    manager,
    region,
    fallback,
    moduleId: module.id,
    bill: (amount) =>
      aBill(house, store, world.partyId, { lines: [aLine("rent", amount)], dueDate: "2026-04-10" }),
    voiding: async (id) => {
      const { version } = await billOf(id);
      return house.did(voidBill, { as: clerk }, { params: { id }, body: { reason: "录入错误", version } });
    },
    examine,
    decide: async (id, as, decision, more = {}) => {
      const { version } = await examine(id, clerk);
      return house.ask(
        decideExamine,
        { as, key: `decide-${++key}-of-them` },
        { params: { id: id! }, body: { decision, version, ...more } },
      );
    },
    statusOf: async (id) => (await billOf(id)).status,
    told: async ({ operatorId }) => {
      const { rows } = await house.database.pool.query<{ title: string }>(
        `select m.title from message m join message_receipt r on r.message_id = m.id where r.operator_id = $1
         order by m.id`,
        [operatorId],
      );
      return rows.map((row) => row.title.replace(/ ZD.*/, ""));
    },
  };
}
