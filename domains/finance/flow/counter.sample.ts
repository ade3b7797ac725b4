import { randomUUID } from "node:crypto";
import type { Call, Sent } from "../../../platform/kernel/call.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { aParty, aStore } from "../bill/bill.sample.ts";
import { readBills } from "../bill/bills.queries.ts";
import { someAccounts, wantsOf } from "./flow.sample.ts";
import { previewFlow, receiveFlow } from "./receive.contract.ts";

const PERMITS = [
  "26.get",
  "26.add",
  "102.query",
  "102.get",
  "102.add",
  "102.export",
  "#10201",
  "#10202",
  "#10203",
];

/** A store with its accounts, two cashiers, somebody from another store, and a customer. */
export async function aCounter(house: TestHouse) {
  const store = await aStore(house);
  const accounts = await someAccounts(house, store);
  const villages = [store.villageId];
  const cashier = await house.person({ permits: PERMITS, villages, name: "陈收银" });
  const second = await house.person({ permits: PERMITS, villages, name: "周财务" });
  const other = await aStore(house);
  const stranger = await house.person({ permits: PERMITS, villages: [other.villageId] });
  const partyId = await aParty(house, "张三", { villageId: store.villageId });

  /** A receipt in cash as the counter sends it, for everything open on some bills. */
  const receipt = async (billIds: readonly number[], amount: number, more: object = {}) => ({
    villageId: store.villageId,
    partyId,
    amount,
    channel: "cash" as const,
    merchantAccountId: accounts.cash,
    wants: (await wantsOf(house, billIds)).filter((w) => w.lineId !== null),
    ...more,
  });
  type Receipt = Awaited<ReturnType<typeof receipt>>;

  /** Previews, then takes the money. */
  const taken = async (body: Receipt, as: Person = cashier) => {
    const { hash } = await house.did(previewFlow, { as }, { body });
    return house.did(receiveFlow, { as }, { body: { ...body, previewHash: hash } });
  };

  /** What a call that is refused says: its sentence, or the field it stands under. */
  const refused = async <C extends Call>(call: C, as: Person, sent: Sent<C>) => {
    const { status, body } = await house.ask(call, { as, key: randomUUID() }, sent as never);
    const [first] = body.fields ?? [];
    return first ? { status, [first.field]: first.msg } : { status, message: body.message };
  };
  const paper = async (as: Person = cashier) =>
    (await sendFile(house, as, { name: "回单.png", bytes: aPng() })).body.data.id;
  const bill = async (id: number) => (await readBills({ tx: house.database.db }, [id]))[0]!;
  const subject = async (code: string) =>
    (
      await house.database.db
        .selectFrom("feeSubject")
        .select("id")
        .where("code", "=", code)
        .executeTakeFirstOrThrow()
    ).id;
  return {
    store,
    accounts,
    cashier,
    second,
    stranger,
    partyId,
    receipt,
    taken,
    refused,
    paper,
    bill,
    subject,
  };
}
export type Counter = Awaited<ReturnType<typeof aCounter>>;
