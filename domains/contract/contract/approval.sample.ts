import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { Answered, Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { type Decide, decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import type { ProcessInput } from "../../approval/module/process.contract.ts";
import { aForm, aRoom, aShop, type Shop } from "./contract.sample.ts";
import { getContract } from "./detail.contract.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { previewContract } from "../preview/preview.contract.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { submitContract } from "../signing/signing.contract.ts";

const keys = counter();

/** A shop whose manager approves what the module types say, with hands for the usual moves. */
export async function anApprovedShop(house: TestHouse, more: Parameters<typeof aShop>[1] = {}) {
  const shop = await aShop(house, more);
  const villages = [shop.villageId];
  const admin = await house.person({ superType: "1", name: "许承锦" });
  const manager = await house.person({ villages, permits: ["9.query", "9.get"], name: "陈嘉禾" });
  const region = await house.person({ villages, permits: ["9.query", "9.get"], name: "罗佳宁" });
  const fallback = await house.person({ villages, name: "郭晓东" });
  const as = shop.clerk;
  const keyed = (who: Person) => ({ as: who, key: `approval-of-contracts-${keys()}` });
  const contractOf = (id: number, who: Person = as) =>
    house.did(getContract, { as: who }, { params: { id } });
  const examine = (id: number, who: Person) => house.did(getExamine, { as: who }, { params: { id } });
  return {
    shop: shop as Shop,
    as,
    ...{ admin, manager, region, fallback, keyed, contractOf, examine },
    room: (name: string, listPrice?: number) => aRoom(house, shop.building, name, listPrice),
    /** Everything of a type waits for the manager, unless other processes are given. */
    module: (moduleType: string, processes: ProcessInput[] = [otherwise(asking("店长", [manager]))]) =>
      aModule(house, admin, { moduleType, name: moduleType, villageIds: villages, fallback, processes }),
    draft: async (roomId: number, form: Parameters<typeof aForm>[1] = {}) => {
      const body: ContractForm = aForm({ ...shop, roomId }, form);
      const { id, contractNo } = await house.did(createContract, { as }, { body });
      const preview = await house.did(previewContract, { as }, { body: { id } });
      return { id, contractNo, preview, form: body };
    },
    submit: (draft: { id: number; preview: { previewHash: string } }, who: Person = as, note?: string) =>
      house.ask(submitContract, keyed(who), {
        params: { id: draft.id },
        body: { previewHash: draft.preview.previewHash, ...(note && { note }) },
      }),
    /** The approval that a contract waits for now. */
    waiting: async (id: number) => (await contractOf(id)).frozen!.examineId,
    decide: async (
      id: number,
      who: Person,
      decision: Decide["decision"],
      comment = "",
    ): Promise<Answered<Reply<typeof decideExamine>>> => {
      const { version } = await examine(id, who);
      return house.ask(decideExamine, keyed(who), { params: { id }, body: { decision, comment, version } });
    },
    /** Who holds a room now, and how. */
    heldBy: async (roomId: number) => {
      const rows = await house.database.db
        .selectFrom("occupancyRow")
        .select(["contractId", "kind"])
        .where("roomId", "=", roomId)
        .execute();
      return rows.map((r) => [r.contractId, r.kind]);
    },
    told: async (id: number) => {
      const { rows } = await house.database.pool.query<{ action: string; summary: string }>(
        "select action, summary from business_log where kind = 'contract' and record_id = $1 order by id",
        [id],
      );
      return rows;
    },
  };
}
