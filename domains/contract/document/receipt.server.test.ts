import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aContract, aLine, aParty, aStore, type Store } from "../../finance/bill/bill.sample.ts";
import { allocateFlow, takeBack } from "../../finance/flow/allocate.service.ts";
import { type Accounts, someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { applyRefund } from "../../finance/refund/refund.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { receiptContent } from "./receipt.rules.ts";
import { receiptOf } from "./receipt.service.ts";

const house = await testHouse();
house.setClock("2026-03-20T10:00:00+08:00");
let store: Store, accounts: Accounts;
beforeAll(async () => {
  store = await aStore(house);
  accounts = await someAccounts(house, store);
});

test("a receipt adds up and names what it pays now: after a refund, and after a payment went to another contract", async () => {
  const { villageId } = store;
  const partyId = await aParty(house, "张三", { villageId });
  const nos = ["HT20260101-000001", "HT20260101-000002"];
  const bills: number[] = [];
  for (const no of nos) {
    const contractId = await aContract(house, store, partyId, { no });
    const bill = { contractId, dueDate: "2026-03-20", lines: [aLine("rent", 30_000)] };
    bills.push(await aBill(house, store, partyId, bill));
  }
  const [wrong, right] = bills as [number, number];
  const { id } = await take(house, store, accounts, partyId, {
    amount: 100_000,
    paidAt: "2026-03-20T09:00:00+08:00",
    bills: [wrong],
  });
  const as = { villages: [villageId] };
  const facts = () => acting(house, async (act) => (await receiptOf(act, id!)).facts, as);
  expect(await facts()).toMatchObject({ contractNos: [nos[0]], prepaid: 70_000 });
  await acting(house, (act) => takeBack(act, id!), as);
  const { rows } = await house.database.pool.query<{ id: number }>(
    "select id::int from bill_line where bill_id = $1",
    [right],
  );
  const wants = [{ billId: right, lineId: rows[0]!.id, amount: 30_000 }];
  await acting(house, (act) => allocateFlow(act, id!, wants), as);
  const of = { source: "prepaid", sourceId: partyId, villageId, amount: 20_000, reason: "客户申请" } as const;
  await acting(house, (act) => applyRefund(act, { ...of, later: true }), as);
  const now = await facts();
  expect(now).toMatchObject({ contractNos: [nos[1]], amount: 100_000, prepaid: 70_000 });
  expect(receiptContent(now).values.tables["收款明细表"]).toMatchObject({
    rows: [
      ["租金", expect.any(String), expect.stringMatching(/^ZD/), "300.00"],
      ["预存款", "—", "—", "700.00"],
    ],
    sums: ["合计", "", "", "1,000.00"],
  });
});
