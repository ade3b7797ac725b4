import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { room } from "../room-acts/room.contract.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import { addChange, submitChange } from "./change.contract.ts";
import { previewChange } from "./plan.contract.ts";

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
