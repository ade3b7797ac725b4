import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine, type Decide } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { roomPrices, roomPricing } from "../pricing/room-price.contract.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import { getChange } from "./change.contract.ts";

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
