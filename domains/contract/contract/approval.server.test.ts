import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { getExamine, listExamines, submitExamine } from "../../approval/examine/examine.contract.ts";
import { asking, otherwise } from "../../approval/module/module.sample.ts";
import { aRenter, aScan } from "./contract.sample.ts";
import { countContracts, listContracts } from "./contract.contract.ts";
import { addBlock } from "../../listing/block/block.contract.ts";
import { deleteContract, saveContract } from "../drafting/draft.contract.ts";
import { startSigning } from "../esign/esign.contract.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { anApprovedShop } from "./approval.sample.ts";
import { letGoOverdue } from "../signing/clock.service.ts";
import { signOfflineContract, voidContract, withdrawContract } from "../signing/signing.contract.ts";
import { acting } from "../../listing/village/village.sample.ts";

const house = await testHouse({ poolSize: 12 });
house.setClock("2026-03-12T10:00:00+08:00");
const world = await anApprovedShop(house);
const { as, manager, region, shop, decide, contractOf } = world;
beforeAll(async () => {
  await world.module("renterContract", [
    {
      name: "低于底价",
      conditions: [{ field: "belowLowest", op: "eq", value: 1 }],
      nodes: [asking("店长", [manager]), asking("区域经理", [region])],
    },
    {
      name: "满半年",
      conditions: [{ field: "days", op: "gte", value: 180 }],
      nodes: [asking("店长", [manager])],
    },
    otherwise(),
  ]);
});

const handedIn = async (name: string) => {
  const roomId = await world.room(name);
  const draft = await world.draft(roomId);
  expect((await world.submit(draft, as, "老客户")).status).toBe(200);
  return { ...draft, roomId, examineId: await world.waiting(draft.id) };
};

describe("a contract that is handed in", () => {
  test("waits, frozen, with its room held, and is to be signed from the approval on", async () => {
    const roomId = await world.room("A1");
    const draft = await world.draft(roomId);
    expect(draft.preview.waitsAt).toEqual(["店长"]);
    const answer = await world.submit(draft, as, "老客户，请尽快");
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { state: "approving", examineNo: expect.stringMatching(/^SP/) } },
    });
    const shown = await contractOf(draft.id);
    expect(shown).toMatchObject({ phase: "approving", signDeadline: null });
    expect(shown.frozen).toMatchObject({ node: "1/1 店长", waitingFor: "陈嘉禾", mine: true, opens: true });
    expect(await world.heldBy(roomId)).toEqual([[draft.id, "reservation"]]);
    const counts = await house.did(countContracts, { as }, { query: {} });
    expect([counts.approving, counts.signing]).toEqual([1, 0]);
    const { list } = await house.did(listContracts, { as }, { query: { tab: "approving" } });
    expect(list.map((c) => c.id)).toEqual([draft.id]);
    const flagged = await house.did(listContracts, { as }, { query: { flag: "approving" } });
    expect(flagged.list.map((c) => c.id)).toEqual([draft.id]);

    const params = { id: draft.id };
    const frozen = { status: 409, body: { reason: "frozen", message: "审批中，不能修改" } };
    const edit = { ...draft.form, version: shown.version };
    expect(await house.ask(saveContract, { as }, { params, body: edit })).toMatchObject(frozen);
    expect(await house.ask(startSigning, world.keyed(as), { params })).toMatchObject(frozen);
    expect(await house.ask(deleteContract, { as }, { params })).toMatchObject(frozen);
    const { previewHash } = draft.preview;
    const paper = { fileIds: [await aScan(house, as)], signedOn: "2026-03-12", previewHash };
    const signing = await house.ask(signOfflineContract, world.keyed(as), { params, body: paper });
    expect(signing).toMatchObject(frozen);
    const voiding = { reason: "录错了", version: shown.version };
    expect(await house.ask(voidContract, world.keyed(as), { params, body: voiding })).toMatchObject(frozen);

    // the approver sees the same fen as the clerk
    const examineId = shown.frozen!.examineId;
    const seen = await world.examine(examineId, manager);
    expect(seen).toMatchObject({
      amount: draft.preview.totals.contractTotal,
      obstacle: null,
      reason: "老客户，请尽快",
    });
    expect(seen.keyFacts).toEqual([
      ["客户", "张三"],
      ["房间", shown.roomNames],
      ["租期", "2026-03-15 至 2027-03-14"],
      ["月租金", "3,500.00 元"],
      ["押金", "3,500.00 元"],
      ["签约应收", "14,000.00 元"],
      ["合同总额", "42,000.00 元"],
    ]);
    expect(seen.preview[0]!.rows.map((row) => row[3])).toEqual(draft.preview.added.map((b) => b.amount));
    expect(seen.preview[1]!.rows.every((row) => row[4] !== "")).toBe(true);

    house.setClock("2026-03-16T09:00:00+08:00");
    expect((await decide(examineId, manager, "approve", "同意")).status).toBe(200);
    const after = await contractOf(draft.id);
    expect(after).toMatchObject({ phase: "signing", frozen: null, signDeadline: "2026-03-23T01:00:00.000Z" });
    expect((await world.told(draft.id)).map((m) => m.action)).toEqual([
      "新建草稿",
      "提交签约",
      "提交审批",
      "审批通过",
    ]);
    const signed = await house.ask(signOfflineContract, world.keyed(as), { params, body: paper });
    expect(signed).toMatchObject({
      status: 200,
      body: { data: { state: "effective", bills: 5, examineNo: null } },
    });
    expect(await world.heldBy(roomId)).toEqual([[draft.id, "lease"]]);
    house.setClock("2026-03-12T10:00:00+08:00");
  });

  test("goes to its signing at once where its process asks nobody", async () => {
    const draft = await world.draft(await world.room("A2"), { months: 3 });
    expect(draft.preview.waitsAt).toEqual([]);
    const answer = await world.submit(draft);
    expect(answer.body.data).toMatchObject({ state: "signing", examineNo: null });
    expect(await contractOf(draft.id)).toMatchObject({
      frozen: null,
      signDeadline: "2026-03-19T02:00:00.000Z",
    });
  });

  test("is a draft again with the reason on its timeline when it is rejected, and its room is free", async () => {
    const held = await handedIn("A3");
    expect((await decide(held.examineId, manager, "reject", "租金偏低，请重谈")).status).toBe(200);
    expect(await contractOf(held.id)).toMatchObject({ phase: "draft", frozen: null });
    expect(await world.heldBy(held.roomId)).toEqual([]);
    expect((await world.told(held.id)).at(-1)).toEqual({
      action: "退回草稿",
      summary: "审批被驳回：租金偏低，请重谈",
    });
    // it is handed in again on the contract, not on the approval
    const { version } = await world.examine(held.examineId, as);
    const again = { params: { id: held.examineId }, body: { version } };
    expect(await house.ask(submitExamine, world.keyed(as), again)).toMatchObject({
      status: 409,
      body: { message: "合同已退回草稿，请在合同中修改后重新提交签约" },
    });
    const preview = await house.did(previewContract, { as }, { body: { id: held.id } });
    expect((await world.submit({ id: held.id, preview })).status).toBe(200);
    expect(await contractOf(held.id)).toMatchObject({ phase: "approving" });
    const returned = await house.did(listExamines, { as }, { query: { box: "returned" } });
    expect(returned.list.map((e) => e.id)).not.toContain(held.examineId);
  });

  test("is taken back by its submitter and by who may sign, by nobody else", async () => {
    const first = await handedIn("A4");
    const back = (id: number, who = as) =>
      house.ask(withdrawContract, { as: who }, { params: { id }, body: { reason: "客户改期" } });
    const villages = [shop.villageId];
    const other = await house.person({ permits: ["9.query", "9.get", "9.edit"], villages });
    expect(await back(first.id, other)).toMatchObject({
      status: 403,
      body: { message: "只有提交人可以撤回" },
    });
    expect((await back(first.id)).body.data).toMatchObject({ state: "draft" });
    expect(await world.heldBy(first.roomId)).toEqual([]);
    expect((await world.told(first.id)).at(-1)).toEqual({ action: "撤回", summary: "撤回签约：客户改期" });
    const late = await decide(first.examineId, manager, "approve");
    expect(late).toMatchObject({ status: 409, body: { message: "该审批已撤回" } });

    const second = await handedIn("A5");
    const signer = await house.person({ permits: ["9.query", "9.get", "#901"], villages });
    expect((await back(second.id, signer)).body.data).toMatchObject({ state: "draft" });
    const { rows } = await house.database.pool.query<{ title: string }>(
      `select m.title from message m join message_receipt r on r.message_id = m.id
       where r.operator_id = $1 order by m.id desc limit 1`,
      [as.operatorId],
    );
    expect(rows[0]!.title).toMatch(/^审批被撤回：租客合同签约 HT/);

    // withdrawn on the approval it is the same
    const third = await handedIn("A6");
    expect((await decide(third.examineId, as, "withdraw")).status).toBe(200);
    expect(await contractOf(third.id)).toMatchObject({ phase: "draft" });
    expect(await world.heldBy(third.roomId)).toEqual([]);
  });

  test("is not approved when its bills come out differently: only rejecting is left", async () => {
    const held = await handedIn("A7");
    const other = await aRenter(house, shop.villageId);
    await house.database.pool.query("update contract set party_id = $1 where id = $2", [other, held.id]);
    const changed = "账单试算已变化，请驳回后由提交人重新提交";
    expect((await world.examine(held.examineId, manager)).obstacle).toBe(changed);
    const refused = await decide(held.examineId, manager, "approve");
    expect(refused).toMatchObject({ status: 409, body: { reason: "previewChanged", message: changed } });
    expect(await contractOf(held.id)).toMatchObject({ phase: "approving" });
    expect((await decide(held.examineId, manager, "reject", "请重新提交")).status).toBe(200);
    expect(await contractOf(held.id)).toMatchObject({ phase: "draft" });
  });

  test("keeps a maintenance block out of its room while it waits; one that came first is named with its days", async () => {
    const held = await handedIn("A10");
    const warden = await house.person({ permits: ["3.edit"], villages: [shop.villageId] });
    const days = { fromDay: "2026-04-01", toDay: "2026-04-10" };
    const body = { roomIds: [held.roomId], reason: "maintenance" as const, ...days };
    const refused = await house.ask(addBlock, { as: warden }, { body });
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain(held.contractNo);
    expect(await world.heldBy(held.roomId)).toEqual([[held.id, "reservation"]]);
    expect((await world.examine(held.examineId, manager)).obstacle).toBeNull();

    // given back to the clerk it holds nothing, and is handed in again only around the block
    expect((await decide(held.examineId, manager, "reject", "等维修")).status).toBe(200);
    await house.did(addBlock, { as: warden }, { body });
    const { obstacles } = await house.did(previewContract, { as }, { body: { id: held.id } });
    expect(obstacles).toMatchObject([
      { code: "roomTaken", msg: expect.stringContaining("在 2026-04-01 至 2026-04-10 已被") },
    ]);
    const again = await world.submit(held);
    expect([again.status, again.body.reason]).toEqual([409, "roomTaken"]);
  });

  test("is not dropped by the nightly clock while it waits, however long", async () => {
    const held = await handedIn("A8");
    house.setClock("2026-06-01T10:00:00+08:00");
    await acting(house, (act) => letGoOverdue(act), { villages: [shop.villageId] });
    expect(await contractOf(held.id)).toMatchObject({ phase: "approving" });
    expect(await world.heldBy(held.roomId)).toEqual([[held.id, "reservation"]]);
    house.setClock("2026-03-12T10:00:00+08:00");
  });

  test("stays as it was handed in, whatever asks the database", async () => {
    const held = await handedIn("A9");
    const change = (set: string) =>
      house.database.pool.query(`update contract set ${set} where id = $1`, [held.id]);
    await expect(change("state = 'effective'")).rejects.toThrow("waits for approval");
    await expect(change("terms = '{}'")).rejects.toThrow("waits for approval");
    await expect(change("sign_deadline = now()")).rejects.toThrow("contract_waits_without_deadline");
  });
});

test("at 12 % off both are asked in order, at 5 % only the manager; what differs from the store's standard is shown", async () => {
  const house = await testHouse();
  house.setClock("2026-03-12T10:00:00+08:00");
  const world = await anApprovedShop(house);
  const { manager, region, decide, contractOf } = world;
  const one = asking("店长", [manager]);
  await world.module("renterContract", [
    {
      name: "折扣",
      conditions: [{ field: "discount", op: "gte", value: 10 }],
      nodes: [one, asking("区域经理", [region])],
    },
    otherwise(one),
  ]);
  const little = await world.draft(await world.room("D1", 350_000), { rent: 332_500 });
  expect(little.preview.waitsAt).toEqual(["店长"]);
  const roomId = await world.room("D2", 350_000);
  await house.database.pool.query("update room_price set lowest_price = 100000 where room_id = $1", [roomId]);
  const much = await world.draft(roomId, {
    rent: 308_000,
    deposit: { mode: "months", months: "0" },
    rentFree: [{ fromDate: "2026-03-15", toDate: "2026-04-14" }] as never,
  });
  expect(much.preview.waitsAt).toEqual(["店长", "区域经理"]);
  expect((await world.submit(much)).status).toBe(200);
  const examineId = await world.waiting(much.id);
  const seen = await world.examine(examineId, manager);
  expect(seen.condition).toBe("折扣率 ≥ 10%");
  expect(Object.fromEntries(seen.keyFacts)).toMatchObject({
    租期: "2026-03-15 至 2027-03-14，免租 31 天",
    月租金: "3,080.00 元（折后 3,080.00 元，低于标价 3,500.00 元 12%）",
    押金: "0.00 元（0 个月，标准 1 个月）",
  });
  await decide(examineId, manager, "approve");
  expect(await contractOf(much.id)).toMatchObject({ phase: "approving" });
  await decide(examineId, region, "approve");
  expect(await contractOf(much.id)).toMatchObject({ phase: "signing" });
});

describe("a price below the lowest", () => {
  test("is handed in without the code where a process judges it, and asks both nodes", async () => {
    const roomId = await world.room("L1", 300_000);
    await house.database.pool.query("update room_price set lowest_price = 270000 where room_id = $1", [
      roomId,
    ]);
    const draft = await world.draft(roomId, { rent: 260_000, months: 3 });
    expect(draft.preview.waitsAt).toEqual(["店长", "区域经理"]);
    expect(draft.preview.obstacles).toEqual([]);
    expect(draft.preview.warnings).toContain("折后月租 2,600.00 低于底价 2,700.00，提交后由审批人决定");
    expect((await world.submit(draft)).status).toBe(200);
    const examineId = await world.waiting(draft.id);
    const seen = await world.examine(examineId, manager);
    expect(seen.keyFacts).toContainEqual(["底价", "折后月租 2,600.00 低于底价 2,700.00"]);
    expect(seen.condition).toBe("低于底价 = 是");
    await decide(examineId, manager, "approve");
    expect(await contractOf(draft.id)).toMatchObject({ phase: "approving" });
    await decide(examineId, region, "approve");
    expect(await contractOf(draft.id)).toMatchObject({ phase: "signing" });
  });

  test("is refused without the code where no process asks about it", async () => {
    const open = await anApprovedShop(house);
    const roomId = await open.room("L2", 300_000);
    await house.database.pool.query("update room_price set lowest_price = 270000 where room_id = $1", [
      roomId,
    ]);
    await open.module("renterContract");
    const draft = await open.draft(roomId, { rent: 260_000 });
    expect(draft.preview.obstacles.map((o) => o.code)).toEqual(["belowLowest"]);
    expect(await open.submit(draft)).toMatchObject({
      status: 422,
      body: {
        reason: "belowLowest",
        message: "折后月租 2,600.00 低于底价 2,700.00，需要“低于底价签约”权限或审批",
      },
    });
  });
});

describe("at the same moment", () => {
  test("an approval and a withdrawal end in one of the two", async () => {
    for (const name of ["R1", "R2", "R3"]) {
      const held = await handedIn(name);
      const [yes, back] = await Promise.all([
        decide(held.examineId, manager, "approve"),
        house.ask(withdrawContract, { as }, { params: { id: held.id }, body: { reason: "" } }),
      ]);
      const { phase, frozen } = await contractOf(held.id);
      const { state } = await world.examine(held.examineId, as);
      expect(frozen).toBeNull();
      if (yes.status === 200) {
        expect(state).toBe("approved");
        // whoever came after the approval has taken back a contract that was to be signed, or heard of it
        expect([back.status, phase]).toEqual(back.status === 200 ? [200, "draft"] : [409, "signing"]);
      } else {
        expect([yes.status, yes.body.message, state, phase]).toEqual([
          409,
          "该审批已撤回",
          "withdrawn",
          "draft",
        ]);
      }
      const holds = phase === "signing" ? [[held.id, "reservation"]] : [];
      expect(await world.heldBy(held.roomId)).toEqual(holds);
    }
  });

  test("two approvers of one node: one decides, the other hears who", async () => {
    const two = await anApprovedShop(house);
    await two.module("renterContract", [otherwise(asking("店长", [two.manager, two.region]))]);
    const draft = await two.draft(await two.room("R4"));
    await two.submit(draft);
    const examineId = await two.waiting(draft.id);
    const both = await Promise.all([
      two.decide(examineId, two.manager, "approve"),
      two.decide(examineId, two.region, "approve"),
    ]);
    expect(both.map((a) => a.status).toSorted()).toEqual([200, 409]);
    const late = both.find((a) => a.status === 409)!;
    expect(late.body.message).toMatch(/^(该审批已由 (陈嘉禾|罗佳宁) 处理|数据已被他人修改，请刷新后重试)$/);
    expect(await two.contractOf(draft.id)).toMatchObject({ phase: "signing" });
  });
});

test("nobody of another village sees or decides it", async () => {
  const held = await handedIn("V1");
  const other = await anApprovedShop(house);
  const seen = await house.ask(getExamine, { as: other.manager }, { params: { id: held.examineId } });
  expect(seen.status).toBe(404);
});
