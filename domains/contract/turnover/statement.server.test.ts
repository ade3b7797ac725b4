import { expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { contractBills } from "../contract/detail.contract.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { aMerchantForm } from "../contract/firm.sample.ts";
import { previewContract } from "../preview/preview.contract.ts";
import type { TurnoverRule } from "../terms/terms.contract.ts";
import {
  confirmSales,
  correctSales,
  declareSales,
  previewSales,
  removeSales,
  submitSales,
  turnoverMonths,
} from "./statement.contract.ts";
import { aTurnoverDesk, BANDS } from "./turnover.sample.ts";

const house = await testHouse();
const { db } = house.database;
const { shop, as, aRoom, aLease, declare, confirm, topUps } = await aTurnoverDesk(house);

test("two confirm at once: one bill; a stale preview is refused with the new one", async () => {
  const lease = await aLease(BANDS);
  const id = await declare(lease, 4, 12_000_000);
  const { hash } = await house.did(previewSales, { as }, { params: { id }, body: {} });
  const once = (key: string) =>
    house.ask(confirmSales, { as, key }, { params: { id }, body: { previewHash: hash, version: 1 } });
  const answers = await Promise.all([once("turnover-race-1"), once("turnover-race-2")]);
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
  expect(await topUps(lease)).toHaveLength(1);

  const other = await declare(lease, 6, 12_000_000);
  const wrong = await house.ask(
    confirmSales,
    { as, key: "turnover-stale-1" },
    { params: { id: other }, body: { previewHash: hash, version: 1 } },
  );
  expect([wrong.status, wrong.body.message]).toEqual([409, "账单试算已变化，请核对后重新确认"]);
});

test("what cannot be declared: less than nothing, a month to come, a month twice", async () => {
  const lease = await aLease(BANDS);
  house.setClock("2026-04-20T10:00:00+08:00");
  const said = async (body: object) =>
    (await house.ask(declareSales, { as }, { body: { contractId: lease, monthNo: 3, gross: 100, ...body } }))
      .body.message;
  expect(await said({ refunds: 101 })).toBe("净额不能为负");
  expect(await said({ monthNo: 4 })).toBe("该月 2026-04-30 结束后才能申报");
  expect(await said({ monthNo: 5 })).toBe("不能申报未来月份");
  expect(await said({ monthNo: 13 })).toBe("该月不在租期内");
  const id = await declare(lease, 3, 100, { submit: false });
  expect(await said({})).toBe("该月已申报，请更正");
  const preview = await house.ask(previewSales, { as }, { params: { id }, body: {} });
  expect(preview.body.message).toBe("当前状态为“草稿”，不能确认");
  await house.did(submitSales, { as }, { params: { id }, body: { version: 1 } });
  const back = await house.did(
    correctSales,
    { as },
    { params: { id }, body: { reason: "请附收银小票", version: 2 } },
  );
  expect(back.id).toBe(id);
  await house.did(removeSales, { as }, { params: { id }, query: { version: 3 } });
});

test("each act has its own code, and a store's clerk sees the shops of that store alone", async () => {
  const lease = await aLease(BANDS);
  const id = await declare(lease, 2, 12_000_000);
  const clerk = await house.person({ permits: ["107.get", "107.edit"], villages: [shop.villageId] });
  const elsewhere = await house.person({ permits: ["107.get", "107.edit", "#10711"], villages: [] });
  const ask = async (who: Person) =>
    (await house.ask(previewSales, { as: who }, { params: { id }, body: {} })).status;
  expect([await ask(clerk), await ask(elsewhere)]).toEqual([403, 404]);
  const months = { query: { merchantId: shop.merchantId } };
  expect((await house.ask(turnoverMonths, { as: elsewhere }, months)).status).toBe(404);
  await expect(
    db.updateTable("salesStatement").set({ gross: -1 }).where("id", "=", id).execute(),
  ).rejects.toThrow();
  await confirm(id);
  await expect(
    db.updateTable("salesStatement").set({ gross: 1 }).where("id", "=", id).execute(),
  ).rejects.toThrow(/stays/);
});

test("a shop may pay of its turnover alone: no rent is billed ahead, every month afterwards", async () => {
  const only: TurnoverRule = { ...BANDS, rentKind: "turnover" };
  const lease = await aLease(only, 0);
  const bills = await house.did(contractBills, { as }, { params: { id: lease } });
  expect(bills.reduce((sum, b) => sum + b.amount, 0)).toBe(0);
  expect((await confirm(await declare(lease, 1, 4_300_000))).change).toBe(344_000);
});

test("a rule that does not rise is told at its field, in a contract of a merchant alone", async () => {
  const roomId = await aRoom();
  const wrong = { ...BANDS, bands: [{ upTo: 100, rate: "8" }] };
  const form = aMerchantForm(shop, roomId, { start: "2027-02-01", turnover: wrong });
  const { id } = await house.did(createContract, { as }, { body: form });
  const answer = await house.ask(previewContract, { as }, { body: { id } });
  expect(answer.body.fields).toEqual([{ field: "turnover.bands.0.upTo", msg: "最后一档不设上限" }]);
});
