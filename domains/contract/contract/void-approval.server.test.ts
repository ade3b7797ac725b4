import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { asking, otherwise } from "../../approval/module/module.sample.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { SIGN_KEYS } from "../config/sign.rules.ts";
import { readSignConfig, writeSignConfig } from "../config/sign.contract.ts";
import { startSigning } from "../esign/esign.contract.ts";
import { letGoOverdue } from "../signing/clock.service.ts";
import {
  handOver,
  signOfflineContract,
  voidContract,
  withdrawContract,
} from "../signing/signing.contract.ts";
import { renewals } from "../successor/successor.contract.ts";
import { WAYS } from "../successor/successor.sample.ts";
import { anApprovedShop } from "./approval.sample.ts";
import { aForm, aScan, signed } from "./contract.sample.ts";
import { contractBills, contractDocuments } from "./detail.contract.ts";

const house = await testHouse({ poolSize: 12 });
house.setClock("2026-03-12T10:00:00+08:00");
const world = await anApprovedShop(house, { permits: ["95.query", "95.get", "95.edit", "73.add"] });
const { as, manager, shop, decide, contractOf, keyed } = world;
await world.module("contractVoid", [
  {
    name: "已签署的合同",
    conditions: [{ field: "signed", op: "eq", value: 1 }],
    nodes: [asking("店长", [manager])],
  },
  otherwise(),
]);

const inForce = async (name: string) => {
  const roomId = await world.room(name);
  const { id } = await signed(house, as, aForm({ ...shop, roomId }), "2026-03-12");
  return { id, roomId };
};
const voiding = async (id: number) => {
  const { version } = await contractOf(id);
  return house.ask(voidContract, keyed(as), { params: { id }, body: { reason: "租客爽约", version } });
};
const billsOf = (id: number) => house.did(contractBills, { as }, { params: { id } });
const accounts = await someAccounts(house, shop);
const pay = async (id: number) => {
  const [bill] = await billsOf(id);
  await take(house, shop, accounts, shop.partyId, {
    amount: bill!.amount,
    channel: "cash",
    paidAt: "2026-03-12T09:00:00+08:00",
    bills: [bill!.id],
  });
};

describe("voiding a signed contract", () => {
  test("is proposed with its bills; the contract is frozen and void with the approval", async () => {
    const { id, roomId } = await inForce("W1");
    const answer = await voiding(id);
    expect(answer.body.data).toMatchObject({ state: "effective", examineNo: expect.stringMatching(/^SP/) });
    const shown = await contractOf(id);
    expect(shown.flags).toContain("approving");
    const moving = { handoverOn: "2026-03-12", version: shown.version };
    expect(await house.ask(handOver, { as }, { params: { id }, body: moving })).toMatchObject({
      status: 409,
      body: { reason: "frozen", message: "审批中，不能修改" },
    });
    expect(await voiding(id)).toMatchObject({ status: 409, body: { reason: "frozen" } });
    const examineId = shown.frozen!.examineId;
    const seen = await world.examine(examineId, manager);
    expect(seen).toMatchObject({
      amount: 4_550_000,
      reason: "租客爽约",
      page: "/contract/RenterContractPage",
    });
    expect(seen.keyFacts).toContainEqual(["作废账单", "5 张，45,500.00 元"]);
    expect((await decide(examineId, manager, "approve")).status).toBe(200);
    expect(await contractOf(id)).toMatchObject({ phase: "voided", voidReason: "租客爽约", frozen: null });
    expect(await world.heldBy(roomId)).toEqual([]);
    expect((await billsOf(id)).map((b) => b.status)).toEqual(Array(5).fill("void"));
  });

  test("nothing comes after a contract that waits to be voided", async () => {
    const roomId = await world.room("W9");
    const { id } = await signed(house, as, aForm({ ...shop, roomId }, { months: 1 }), "2026-03-12");
    await voiding(id);
    const next = { contractId: id, end: "2027-03-31", rents: [], ...WAYS };
    const asked = () => house.ask(renewals.ask, { as }, { body: next });
    expect(await asked()).toMatchObject({ status: 409, body: { reason: "frozen" } });
    await decide(await world.waiting(id), as, "withdraw");
    expect((await asked()).status).toBe(200);
  });

  test("goes back to what it was when it is rejected or taken back", async () => {
    const { id } = await inForce("W2");
    await voiding(id);
    await decide(await world.waiting(id), manager, "reject", "租客愿意续住");
    expect(await contractOf(id)).toMatchObject({ phase: "toStart", frozen: null });
    await voiding(id);
    await decide(await world.waiting(id), as, "withdraw");
    expect(await contractOf(id)).toMatchObject({ phase: "toStart", frozen: null });
    expect((await billsOf(id)).every((b) => b.status !== "void")).toBe(true);
  });

  test("fails with the sentence of the refusal when money came in meanwhile", async () => {
    const { id } = await inForce("W3");
    await voiding(id);
    const examineId = await world.waiting(id);
    await pay(id);
    const { amount } = (await billsOf(id))[0]!;
    const why = `已收 ${(amount / 100).toLocaleString("en", { minimumFractionDigits: 2 })} 元，不能作废，请办理退房`;
    expect((await world.examine(examineId, manager)).obstacle).toBe(why);
    const refused = await decide(examineId, manager, "approve");
    expect(refused).toMatchObject({ status: 409, body: { message: why } });
    expect(await contractOf(id)).toMatchObject({ phase: "toStart" });
    expect((await decide(examineId, manager, "reject", "已经收款")).status).toBe(200);
  });

  test("beside a payment at the same moment: either it is void, or the money is there", async () => {
    for (const name of ["W4", "W5"]) {
      const { id } = await inForce(name);
      await voiding(id);
      const examineId = await world.waiting(id);
      const [yes, paid] = await Promise.allSettled([decide(examineId, manager, "approve"), pay(id)]);
      const { phase, money } = await contractOf(id);
      const approved = yes.status === "fulfilled" && yes.value.status === 200;
      expect([phase, money.received > 0]).toEqual(approved ? ["voided", false] : ["toStart", true]);
      expect(paid.status).toBe(approved ? "rejected" : "fulfilled");
    }
  });
});

test("a contract that is to be signed is void at once where nobody is asked", async () => {
  const one = await world.draft(await world.room("W6"));
  await world.submit(one);
  expect((await voiding(one.id)).body.data).toMatchObject({ state: "voided", examineNo: null });
});

describe("the signed paper", () => {
  const settings = async (more: object) => {
    const query = { villageId: shop.villageId };
    const now = await house.did(readSignConfig, { as }, { query });
    const values = Object.fromEntries(SIGN_KEYS.map((key) => [key, now[key]])) as typeof now;
    await house.did(writeSignConfig, { as }, { query, body: { ...values, ...more, version: now.version } });
  };
  const paperOf = async (draft: { id: number; preview: { previewHash: string } }) => ({
    params: { id: draft.id },
    body: {
      fileIds: [await aScan(house, as)],
      signedOn: "2026-03-12",
      previewHash: draft.preview.previewHash,
    },
  });

  test("waits where the store wants it approved, and comes into force with the approval", async () => {
    await settings({ offlineNeedsApproval: true });
    const draft = await world.draft(await world.room("P1"));
    await world.submit(draft);
    const alone = await house.ask(signOfflineContract, keyed(as), await paperOf(draft));
    expect(alone).toMatchObject({
      status: 409,
      body: { message: "该门店的线下签署需要审批，请先在审批配置中设置“线下签署”的流程" },
    });
    await world.module("offlineSign");
    const answer = await house.ask(signOfflineContract, keyed(as), await paperOf(draft));
    expect(answer.body.data).toMatchObject({ state: "signing", bills: 0 });
    const params = { id: draft.id };
    const frozen = { status: 409, body: { reason: "frozen" } };
    expect(await house.ask(startSigning, keyed(as), { params })).toMatchObject(frozen);
    const back = await house.ask(withdrawContract, { as }, { params, body: { reason: "" } });
    expect(back).toMatchObject({ status: 409, body: { message: "审批中，不能修改" } });
    // the deadline passes meanwhile
    house.setClock("2026-04-01T10:00:00+08:00");
    await acting(house, (act) => letGoOverdue(act), { villages: [shop.villageId] });
    const examineId = await world.waiting(draft.id);
    const seen = await world.examine(examineId, manager);
    expect([seen.files.length, seen.keyFacts.find(([k]) => k === "签署日期")]).toEqual([
      1,
      ["签署日期", "2026-03-12"],
    ]);
    expect((await decide(examineId, manager, "approve")).status).toBe(200);
    expect(await contractOf(draft.id)).toMatchObject({ state: "effective", signedOn: "2026-03-12" });
    expect((await billsOf(draft.id)).length).toBe(5);
    const [paper] = await house.did(contractDocuments, { as }, { params });
    expect(paper!.kind).toBe("signed");
    expect(paper!.createdBy).not.toBe("陈嘉禾");
    house.setClock("2026-03-12T10:00:00+08:00");
  });

  test("that was rejected leaves the contract to be signed", async () => {
    const draft = await world.draft(await world.room("P2"));
    await world.submit(draft);
    await house.did(signOfflineContract, keyed(as), await paperOf(draft));
    await decide(await world.waiting(draft.id), manager, "reject", "扫描件缺页");
    expect(await contractOf(draft.id)).toMatchObject({ phase: "signing", frozen: null });
    await settings({ offlineNeedsApproval: false });
    const again = await house.ask(signOfflineContract, keyed(as), await paperOf(draft));
    expect(again.body.data).toMatchObject({ state: "effective", bills: 5 });
  });
});
