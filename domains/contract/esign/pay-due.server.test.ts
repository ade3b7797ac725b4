import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { payByLink, readPayLink } from "../../finance/checkout/checkout.contract.ts";
import { payTill } from "../../finance/pay-order/pay-order.contract.ts";
import { aTill } from "../../finance/pay-order/pay-order.sample.ts";
import { payDue, signResult } from "./esign.contract.ts";
import { aSigningShop, partySigns, started, toSign } from "./esign.sample.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aSigningShop(house, { autoSeal: true });

test("what is due on signing is paid from the result where the store takes money by phone", async () => {
  const { id, partyId } = await toSign(house, shop);
  const key = await partySigns(house, await started(house, shop.clerk, id), partyId);
  const result = () => house.did(signResult, {}, { query: { key } });
  expect(await result()).toMatchObject({ kind: "done", online: false, dueTotal: 1_400_000 });
  await aTill(house, shop.villageId);
  expect(await result()).toMatchObject({ online: true, payTo: [] });

  const { path } = await house.did(payDue, {}, { body: { key } });
  const token = path.split("#")[1]!;
  const { bills } = await house.did(readPayLink, {}, { params: { token }, query: {} });
  expect(bills.reduce((sum, b) => sum + b.owed, 0)).toBe(1_400_000);
  const body = { billIds: bills.map((b) => b.id), total: 1_400_000, by: "page" as const };
  for (const order of await house.did(payByLink, {}, { params: { token }, body }))
    await house.did(payTill, {}, { params: { token: order.token } });
  expect(await result()).toMatchObject({ online: false, due: [], dueTotal: 0 });
  expect((await house.ask(payDue, {}, { body: { key } })).body.message).toBe("首期应付已付清");
  expect((await house.ask(payDue, {}, { body: { key: "x".repeat(22) } })).status).toBe(404);
});
