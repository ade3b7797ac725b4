import fc from "fast-check";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aContract, aLine, aParty, aStore } from "../../finance/bill/bill.sample.ts";
import { voidBills } from "../../finance/bill/bill.service.ts";
import { adjustLines } from "../../finance/bill-acts/adjust.service.ts";
import { issueDue } from "../../finance/bill-acts/change.service.ts";
import { writeOffBill } from "../../finance/bill-acts/writeoff.service.ts";
import { reverseFlow, takeBack } from "../../finance/flow/allocate.service.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { setBilling } from "../../finance/setting/setting.service.ts";
import { acting } from "../../listing/village/village.sample.ts";

const WHAT = [
  "bill",
  "bill",
  "take",
  "take",
  "prepay",
  "adjust",
  "undo",
  "reverse",
  "void",
  "day",
  "day",
  "writeOff",
] as const;
type Step = { what: (typeof WHAT)[number]; pick: number; percent: number };

/** Things that happen to the money of a store, in any order. */
export const anyMonth = fc.array(
  fc.record({
    what: fc.constantFrom(...WHAT),
    pick: fc.nat({ max: 1000 }),
    percent: fc.integer({ min: 1, max: 130 }),
  }),
  { minLength: 10, maxLength: 40 },
);

/** Lets the steps happen through the services of the money side; a step that is refused changes nothing. */
export async function happen(house: TestHouse, steps: readonly Step[], start: Day) {
  house.setClock(`${start}T09:00:00+08:00`);
  const store = await aStore(house);
  const { villageId } = store;
  const of = { enterpriseId: house.enterpriseId, villageId };
  await setBilling({ tx: house.database.db }, of, { writeOffMinDays: 5, confirmChannels: [] });
  const accounts = await someAccounts(house, store);
  const parties = [await aParty(house, "甲"), await aParty(house, "乙")];
  const contracts = [await aContract(house, store, parties[0]!), null];
  let day = start;
  for (const step of steps) {
    if (step.what === "day") day = addDays(day, 1 + (step.pick % 15));
    house.setClock(`${day}T10:00:00+08:00`);
    if (step.what === "day") await acting(house, (act) => issueDue(act));
    else
      await one(step).catch(
        (error: unknown) => !(error instanceof Refusal) && Promise.reject(error as Error),
      );
  }
  return { villageId, from: start, to: day };

  async function any(
    table: string,
    where: string,
    pick: number,
  ): Promise<Record<string, number> | undefined> {
    const { rows } = await house.database.pool.query<Record<string, number>>(
      `select * from ${table} where village_id = $1 and ${where} order by id`,
      [villageId],
    );
    return rows[pick % Math.max(1, rows.length)];
  }

  async function one({ what, pick, percent }: Step): Promise<unknown> {
    const bill = await any("bill", "voided_at is null", pick);
    const flow = await any("flow", "state = 'confirmed'", pick);
    const party = parties[pick % 2]!;
    const paidAt = `${addDays(day, -(pick % 4))}T09:00:00+08:00`;
    const channel = (["wechat", "cash", "pos"] as const)[pick % 3]!;
    if (what === "bill")
      return aBill(house, store, party, {
        contractId: contracts[pick % 2]!,
        dueDate: addDays(day, (pick % 40) - 30),
        periodEnd: addDays(day, (pick % 40) - 30),
        lines: [aLine("rent", percent * 1000 + pick), aLine("electric", 500 + pick, { slices: [] })],
      });
    if (what === "prepay")
      return take(house, store, accounts, party, { amount: percent * 500, paidAt, channel });
    if (what === "reverse" && flow) return acting(house, (act) => reverseFlow(act, flow["id"]!, "冲销"));
    if (!bill) return undefined;
    const billId = bill["id"]!;
    switch (what) {
      case "take":
        return take(house, store, accounts, bill["party_id"]!, {
          amount: Math.max(1, Math.floor((bill["outstanding"]! * percent) / 100)),
          paidAt,
          channel,
          bills: [billId],
        });
      case "void":
        return acting(house, (act) => voidBills(act, [billId], "作废"));
      case "writeOff":
        return acting(house, (act) => writeOffBill(act, billId, "无法收回"));
      case "adjust": {
        const { rows } = await house.database.pool.query<{ id: number; amount: number }>(
          "select id, amount from bill_line where bill_id = $1 order by id",
          [billId],
        );
        const amount = Math.floor((rows[0]!.amount * (percent - 90)) / 100) || 1;
        return acting(house, (act) => adjustLines(act, [{ lineId: rows[0]!.id, amount, reason: "调整" }]));
      }
      case "undo": {
        const paid = await any("allocation_standing", "kind = 'money'", pick);
        return paid && acting(house, (act) => takeBack(act, paid["flow_id"]!, paid["id"]!));
      }
    }
    return undefined;
  }
}
