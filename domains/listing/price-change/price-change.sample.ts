import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { room } from "../room-acts/room.contract.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import { addChange, submitChange, getChange, previewChange } from "./change.contract.ts";
import { decideExamine, getExamine, type Decide } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { roomPrices, roomPricing } from "../pricing/room-price.contract.ts";

type Body<C> = Sent<C> extends { body: infer B } ? B : never;
export type Planned = Body<typeof previewChange>;

/** +3.3 % on list prices, to yuan, from the first of December. */
export const aPlan = (villageIds: number[], more: Partial<Planned> = {}): Planned => ({
  villageIds,
  mode: "percent",
  value: 3.3,
  applyTo: "list",
  round: "yuan",
  effectiveDay: "2026-12-01",
  ...more,
});

export const previewed = (
  house: TestHouse,
  as: Person,
  plan: Planned,
): Promise<Reply<typeof previewChange>> => house.did(previewChange, { as }, { body: plan });

/** Looks at the preview and keeps it as a draft. */
export async function drafted(
  house: TestHouse,
  as: Person,
  plan: Planned,
  more: Partial<Body<typeof addChange>> = {},
) {
  const { hash } = await previewed(house, as, plan);
  return house.did(addChange, { as }, { body: { ...plan, reason: "旺季调价", hash, ...more } });
}

/** The same, handed in. */
export async function handedIn(house: TestHouse, as: Person, plan: Planned) {
  const { id, number, version } = await drafted(house, as, plan);
  const done = await house.did(submitChange, { as }, { params: { id }, body: { version } });
  return { ...done, number };
}

/** On the twentieth of November: a store with three flats at 3,000.00, 2,985.50 and 3,120.00, and who changes prices. */
export async function aPricedStore(house: TestHouse) {
  const now = () => house.setClock("2026-11-20T10:00:00+08:00");
  now();
  const manager = await house.person({ name: "王店长" });
  const [villageId, otherId] = [
    await aVillage(house, { managerId: manager.operatorId }),
    await aVillage(house),
  ];
  const building = await aBuilding(house, villageId);
  const permits = ["query", "get", "add", "edit", "export"].map((p) => `6.${p}`);
  const villages = [villageId, otherId];
  const head = await house.person({ permits: [...permits, "#601"], villages, name: "沈岚" });
  const clerk = await house.person({ permits, villages: [villageId] });
  const stranger = await house.person({ permits, villages: [otherId] });
  const flatOf = async (name: string, listPrice: number) =>
    (await aFlat(house, building, { name, listPrice })).roomIds[0]!;
  const three = [
    await flatOf("1201", 300_000),
    await flatOf("1202", 298_550),
    await flatOf("1203", 312_000),
  ] as const;
  const priceOf = async (id: number) => (await house.did(room, { as: head }, { params: { id } })).listPrice;
  /** Looks at things on another day. */
  const on = async <T>(day: string, work: () => Promise<T>): Promise<T> => {
    house.setClock(`${day}T09:00:00+08:00`);
    return work().finally(now);
  };
  return { villageId, otherId, manager, head, clerk, stranger, three, priceOf, on };
}

/**
 * On the twentieth of November: a store in which prices that move by five percent or more need its manager, one where
 * nothing does, and a head of leasing who types prices in both.
 */
export async function aGovernedStore(house: TestHouse) {
  house.setClock("2026-11-20T10:00:00+08:00");
  const [villageId, freeId] = [await aVillage(house), await aVillage(house)];
  const [at, freeAt] = [await aBuilding(house, villageId), await aBuilding(house, freeId)];
  const villages = [villageId, freeId];
  const permits = ["query", "get", "add", "edit", "delete"].flatMap((p) => [`6.${p}`, `4.${p}`]);
  const head = await house.person({ permits: [...permits, "#601"], villages, name: "沈岚" });
  const manager = await house.person({ permits: ["6.query"], villages, name: "陈嘉禾" });
  const admin = await house.person({ superType: "1" });
  await aModule(house, admin, {
    moduleType: "priceChange",
    name: "调价审批",
    villageIds: [villageId],
    fallback: admin,
    processes: [
      {
        name: "5% 以上",
        conditions: [{ field: "percent", op: "gte", value: 5 }],
        nodes: [asking("店长", [manager])],
      },
      otherwise(),
    ],
  });
  const change = (id: number) => house.did(getChange, { as: head }, { params: { id } });
  let key = 0;
  return {
    villageId,
    head,
    /** A room at 3,000.00 of its own. */
    flat: async (name: string) => (await aFlat(house, at, { name })).roomIds[0]!,
    freeFlat: async (name: string) => (await aFlat(house, freeAt, { name })).roomIds[0]!,
    change,
    /** Days and prices of a room, newest first. */
    history: async (id: number) =>
      (await house.did(roomPrices, { as: head }, { params: { id } })).map((p) => [
        p.effectiveDay,
        p.listPrice,
      ]),
    pendingOf: async (id: number) => (await house.did(roomPricing, { as: head }, { params: { id } })).pending,
    decide: async (changeId: number, decision: Decide["decision"]) => {
      const id = (await change(changeId)).examineId!;
      const { version } = await house.did(getExamine, { as: manager }, { params: { id } });
      return house.ask(
        decideExamine,
        { as: manager, key: `decide-governed-${++key}` },
        { params: { id }, body: { decision, comment: "看过", version } },
      );
    },
  };
}
