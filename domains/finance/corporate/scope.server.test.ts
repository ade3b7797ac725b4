import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aLine, aParty, aStore } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { aCounter, take, wantsOf } from "../flow/flow.sample.ts";
import * as calls from "./corporate.contract.ts";
import { aCompanyAccount, claiming } from "./corporate.sample.ts";
import { lineOf } from "./line.service.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const counter = await aCounter(house);
const { store } = counter;
const admin = await house.person({ superType: "1", name: "财务" });
const shown = (id: number) => house.did(calls.getBankLine, { as: admin }, { params: { id } });

test("who holds no store of it neither takes a mark off nor books into it, and sees no line that is hidden", async () => {
  const other = await aStore(house);
  const permits = ["97.query", "97.get", "97.add", "#9701"];
  const stranger = await house.person({ permits, villages: [other.villageId] });
  const own = await house.person({ permits, villages: [store.villageId] });
  const company = await aCompanyAccount(house, store.villageId);
  const lineId = await company.came({
    day: "2026-03-11",
    amount: 88_000,
    name: "外人公司",
    account: "6222021234567890123",
    summary: "付 6222021234567890123 款",
    no: "202603110000123456",
  });
  const { raw, version } = await house.did(calls.getBankLine, { as: stranger }, { params: { id: lineId } });
  expect(raw.join(" ")).toContain("付 6222****0123 款");
  expect(raw.join(" ")).not.toContain("6222021234567890123");
  // the line's own number is what it is looked for by
  expect(raw).toContain("202603110000123456");
  const book = (as: typeof own, body: object) =>
    house.ask(
      calls.classifyBankLine,
      { as, key: randomUUID() },
      {
        params: { id: lineId },
        body: { note: "利息", version, ...body } as never,
      },
    );
  const interest = await book(stranger, { kind: "interest", amount: 100 });
  expect([interest.status, interest.body.message]).toEqual([
    403,
    "该标记记入账户持有方的账，须由管理持有门店（公司账户为全部门店）的人员操作",
  ]);
  const { wechat } = counter.accounts;
  await take(house, store, counter.accounts, counter.partyId, {
    amount: 1_000,
    paidAt: "2026-03-10T09:00:00+08:00",
  });
  const settle = { kind: "channelSettle", amount: 100, merchantAccountId: wechat };
  expect((await book(stranger, settle)).status).toBe(403);
  expect((await book(own, { kind: "interest", amount: 100 })).status).toBe(200);
  const [interestUse] = (await shown(lineId)).uses;
  const { version: seen } = await shown(lineId);
  const by = { kind: "wrongTransfer" as const, amount: 50_000, villageId: store.villageId };
  const body = { note: "转错了", version: seen, ...by };
  const how = { as: admin, key: randomUUID() };
  await house.did(calls.classifyBankLine, how, { params: { id: lineId }, body });
  const [transferUse] = (await shown(lineId)).uses;
  const off = (as: typeof own, useId: number) =>
    house.ask(
      calls.unclassifyBankLine,
      { as, key: randomUUID() },
      { params: { id: lineId }, body: { useId, reason: "标错了" } },
    );
  expect((await off(stranger, interestUse!.id)).status).toBe(403);
  expect((await off(stranger, transferUse!.id)).status).toBe(404);
  expect((await shown(lineId)).uses.filter((use) => use.undoneAt)).toEqual([]);
  expect((await off(own, transferUse!.id)).status).toBe(200);
  expect((await off(own, interestUse!.id)).status).toBe(200);
  // wholly claimed by a store, it is that store's
  const partyId = await aParty(house, "外人公司", { villageId: store.villageId });
  await claiming(house, admin, { lineId, villageId: store.villageId, partyId, amount: 88_000 });
  await expect(
    acting(house, (act) => lineOf(act, lineId), { villages: [other.villageId] }),
  ).rejects.toThrow();
  expect((await acting(house, (act) => lineOf(act, lineId), { villages: [store.villageId] })).free).toBe(0);
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});

test("a preview's hash holds for one claim of its line; charges that another claim waits for are not claimed again", async () => {
  const company = await aCompanyAccount(house);
  const partyId = await aParty(house, "两次公司", { villageId: store.villageId });
  const manager = await house.person({ permits: ["97.query"], villages: [store.villageId], name: "罗佳宁" });
  const clerk = await house.person({
    permits: ["97.query", "97.get", "97.add"],
    villages: [store.villageId],
  });
  const bill = await aBill(house, store, partyId, { lines: [aLine("property", 100_000)] });
  const lineId = await company.came({ day: "2026-03-11", amount: 300_000, name: "两次公司" });
  const [want] = (await wantsOf(house, [bill])).filter((w) => w.lineId !== null);
  const asked = { lineId, villageId: store.villageId, partyId, amount: 60_000 };
  const wants = [{ billId: bill, lineId: want!.lineId, amount: 60_000 }];
  const claim = (previewHash: string) =>
    house.ask(
      calls.addClaim,
      { as: clerk, key: randomUUID() },
      { body: { ...asked, wants, restToPrepaid: true, previewHash } },
    );
  const { hash } = await house.did(calls.previewClaim, { as: clerk }, { body: { ...asked, wants } });
  await aModule(house, admin, {
    moduleType: "claim",
    name: "认领两次审批",
    villageIds: [store.villageId],
    fallback: manager,
    processes: [otherwise(asking("店长", [manager]))],
  });
  expect((await claim(hash)).body.data.waiting).toMatch(/^SP/);
  const said = "该费用另有 600.00 元认领待审批";
  const twice = await house.ask(calls.previewClaim, { as: clerk }, { body: { ...asked, wants } });
  expect(twice.body.fields).toEqual([{ field: "wants", msg: said }]);
  expect((await claim(hash)).body.fields).toEqual([{ field: "wants", msg: said }]);
  // what is left of the charge can be claimed, over a preview of its own
  wants[0]!.amount = 40_000;
  asked.amount = 40_000;
  expect((await claim(hash)).body.reason).toBe("previewChanged");
  const { hash: own } = await house.did(calls.previewClaim, { as: clerk }, { body: { ...asked, wants } });
  expect((await claim(own)).status).toBe(200);
});
