import { beforeAll, describe, expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import {
  countExamines,
  getExamine,
  listExamines,
  submitExamine,
} from "../../approval/examine/examine.contract.ts";
import { disableModule } from "../../approval/module/module.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { addProcess } from "../../approval/module/process.contract.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { getBill } from "../bill-list/bill.contract.ts";
import { aStore } from "../bill/bill.sample.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import * as acts from "./acts.contract.ts";
import { type Approved, anApprovedStore } from "./approval.sample.ts";

const house = await testHouse({ poolSize: 6 });
let world: Approved;
beforeAll(async () => {
  world = await anApprovedStore(house);
});
const logOf = async (id: number) =>
  (await house.did(getBill, { as: world.clerk }, { params: { id } })).log.map((m) => `${m.action} ${m.who}`);

describe("a bill above the amount", () => {
  test("asks both nodes in order, stays frozen, and is void with the last approval", async () => {
    const id = await world.bill(250_000);
    const { examineId } = await world.voiding(id);
    expect(await world.statusOf(id)).toBe("unpaid");
    const seen = await world.examine(examineId, world.manager);
    expect(seen).toMatchObject({ state: "approving", mine: true, amount: 250_000, node: "1/2 店长" });
    expect(seen.preview[0]!.rows).toEqual([["租金", "2026-03-01 ~ 2026-03-31", 250_000]]);
    expect(seen.steps.map((s) => [s.name, s.state])).toEqual([["陈嘉禾", "waiting"]]);
    // the clerk sees the same fen, and where it stands
    const shown = await house.did(getBill, { as: world.clerk }, { params: { id } });
    expect(shown.tags).toContain("approving");
    expect(shown.frozen).toMatchObject({ node: "1/2 店长", waitingFor: "陈嘉禾", mine: true, opens: true });

    const frozen = await house.ask(
      acts.disputeBill,
      { as: world.clerk },
      { params: { id }, body: { disputed: true, reason: "有异议", version: shown.version } },
    );
    expect([frozen.status, frozen.body.reason, frozen.body.message]).toEqual([
      409,
      "frozen",
      "审批中，不能修改",
    ]);
    const again = await house.ask(
      acts.voidBatch,
      { as: world.clerk, key: "void-frozen-one" },
      { body: { ids: [id], reason: "录错" } },
    );
    expect([again.status, again.body.reason]).toEqual([409, "frozen"]);

    // out of turn
    expect((await house.ask(getExamine, { as: world.region }, { params: { id: examineId! } })).status).toBe(
      404,
    );
    expect((await world.decide(examineId, world.manager, "approve", { comment: "同意" })).status).toBe(200);
    expect(await world.statusOf(id)).toBe("unpaid");
    expect((await world.decide(examineId, world.region, "approve")).status).toBe(200);
    expect(await world.statusOf(id)).toBe("void");
    expect(await logOf(id)).toEqual(["作废 罗佳宁", "审批通过 罗佳宁", "审批通过 陈嘉禾", "提交审批 周敏"]);
    expect(await world.told(world.manager)).toContain("待审批：作废账单");
    expect(await world.told(world.region)).toContain("待审批：作废账单");
    expect(await world.told(world.clerk)).toContain("审批已通过：作废账单");
    const done = await world.examine(examineId, world.clerk);
    expect(done.steps.map((s) => [s.name, s.state, s.comment])).toEqual([
      ["陈嘉禾", "approved", "同意"],
      ["罗佳宁", "approved", ""],
    ]);
  });

  test("below it asks one; below every amount it acts at once", async () => {
    const middle = await world.bill(100_000);
    const { examineId } = await world.voiding(middle);
    expect((await world.examine(examineId, world.manager)).node).toBe("1/1 店长");
    expect((await world.decide(examineId, world.manager, "approve")).status).toBe(200);
    expect(await world.statusOf(middle)).toBe("void");
    const small = await world.bill(99_999);
    expect((await world.voiding(small)).examineId).toBeNull();
    expect(await world.statusOf(small)).toBe("void");
  });
});

test("what has become impossible meanwhile rolls the approval back and says why; only rejecting is left", async () => {
  const id = await world.bill(150_000);
  const { examineId } = await world.voiding(id);
  const accounts = await someAccounts(house, world.store);
  await take(house, world.store, accounts, world.partyId, {
    amount: 150_000,
    channel: "cash",
    paidAt: "2026-03-20T10:00:00+08:00",
    bills: [id],
  });
  expect((await world.examine(examineId, world.manager)).obstacle).toBe(
    "账单已收款，不能作废，请使用冲销或退款",
  );
  const refused = await world.decide(examineId, world.manager, "approve");
  expect([refused.status, refused.body.message]).toEqual([409, "账单已收款，不能作废，请使用冲销或退款"]);
  expect(await world.examine(examineId, world.manager)).toMatchObject({ state: "approving", mine: true });
  expect(await logOf(id)).not.toContain("审批通过 陈嘉禾");
  const silent = await world.decide(examineId, world.manager, "reject");
  expect([silent.status, silent.body.fields?.[0]]).toEqual([
    400,
    { field: "comment", msg: "请填写驳回原因" },
  ]);
  expect((await world.decide(examineId, world.manager, "reject", { comment: "已经收款" })).status).toBe(200);
  expect(await world.examine(examineId, world.clerk)).toMatchObject({ state: "rejected" });
});

test("a rejected one counts for its submitter until it is sent again, which takes the way of that moment", async () => {
  const id = await world.bill(130_000);
  const { examineId } = await world.voiding(id);
  await world.decide(examineId, world.manager, "reject", { comment: "请附说明" });
  const counted = () => house.did(countExamines, { as: world.clerk }, { query: {} });
  const before = (await counted()).returned;
  const { version } = await world.examine(examineId, world.clerk);
  await house.did(submitExamine, { as: world.clerk }, { params: { id: examineId! }, body: { version } });
  expect((await counted()).returned).toBe(before - 1);
  const { state, mine, round } = await world.examine(examineId, world.manager);
  expect([state, mine, round]).toEqual(["approving", true, 2]);
  await world.decide(examineId, world.manager, "approve");
  expect(await world.statusOf(id)).toBe("void");
  // and where nothing needs approval by then it is through, with no node to name
  const free = (await world.voiding(await world.bill(140_000))).examineId;
  await world.decide(free, world.manager, "reject", { comment: "请附说明" });
  const lane = (...fen: string[]) =>
    house.database.pool.query(
      "update process set conditions = replace(conditions::text, $1, $2)::jsonb",
      fen,
    );
  await lane("100000", "190000");
  const sent = { params: { id: free! }, body: { version: (await world.examine(free, world.clerk)).version } };
  await house.did(submitExamine, { as: world.clerk }, sent);
  expect(await world.examine(free, world.clerk)).toMatchObject({ state: "approved", node: "1/1" });
  await lane("190000", "100000");
});

test("who has lost the right to the act, or its store, does not hand it in again", async () => {
  const id = await world.bill(135_000);
  const { examineId } = await world.voiding(id);
  await world.decide(examineId, world.manager, "reject", { comment: "请附说明" });
  const { pool } = house.database;
  const { operatorId } = world.clerk;
  const version = (await world.examine(examineId, world.clerk)).version;
  const sent = async () =>
    (
      await house.ask(
        submitExamine,
        { as: world.clerk, key: crypto.randomUUID() },
        { params: { id: examineId! }, body: { version } },
      )
    ).status;
  const offered = async () => (await world.examine(examineId, world.clerk)).again;
  const roles = "select role_id from operator_assignment where operator_id = $1";
  const right = (change: string) =>
    pool.query(
      `with r as (${roles}), f as (${change}) update role set version = version + 1 where id in (select role_id from r)`,
      [operatorId],
    );
  expect(await offered()).toBe(true);
  await right("delete from role_function where key = '#2602' and role_id in (select role_id from r)");
  expect([await offered(), await sent()]).toEqual([false, 403]);
  await right("insert into role_function (role_id, key) select role_id, '#2602' from r");
  await pool.query("update operator set village_ids = '{}' where id = $1", [operatorId]);
  expect([await offered(), await sent()]).toEqual([false, 404]);
  await pool.query("update operator set village_ids = array[$2::bigint] where id = $1", [
    operatorId,
    world.store.villageId,
  ]);
  expect([await offered(), await sent()]).toEqual([true, 200]);
  expect(await world.statusOf(id)).toBe("unpaid");
});

test("the submitter takes it back and may change the bill again; nobody else can take it back", async () => {
  const id = await world.bill(110_000);
  const { examineId } = await world.voiding(id);
  expect((await world.decide(examineId, world.manager, "withdraw")).status).toBe(403);
  expect((await world.decide(examineId, world.clerk, "withdraw")).status).toBe(200);
  const late = await world.decide(examineId, world.manager, "approve");
  expect([late.status, late.body.message]).toEqual([409, "该审批已撤回"]);
  expect((await house.did(getBill, { as: world.clerk }, { params: { id } })).frozen).toBeNull();
});

test("switching the module off leaves what runs to its snapshot, and new acts are done at once", async () => {
  const rejected = await world.bill(120_000);
  const first = (await world.voiding(rejected)).examineId;
  await world.decide(first, world.manager, "reject", { comment: "请附说明" });
  const running = await world.bill(250_000);
  const { examineId } = await world.voiding(running);
  const { version } = await house.did(
    addProcess,
    { as: world.admin },
    {
      body: {
        moduleId: world.moduleId,
        version: 1,
        name: "特大额",
        conditions: [{ field: "amount", op: "gte", value: 90_000_000 }],
        nodes: [asking("总部", [world.fallback])],
      },
    },
  );
  await house.did(disableModule, { as: world.admin }, { params: { id: world.moduleId }, body: { version } });
  const fresh = await world.bill(250_000);
  expect((await world.voiding(fresh)).examineId).toBeNull();
  expect(await world.statusOf(fresh)).toBe("void");
  await world.decide(examineId, world.manager, "approve");
  expect((await world.examine(examineId, world.region)).node).toBe("2/2 区域经理");
  await world.decide(examineId, world.region, "approve");
  expect(await world.statusOf(running)).toBe("void");
  const again = await world.examine(first, world.clerk);
  const sent = { params: { id: first! }, body: { version: again.version } };
  expect((await house.did(submitExamine, { as: world.clerk }, sent)).state).toBe("approved");
  expect(await world.statusOf(rejected)).toBe("void");
});

test("a stranger sees none of it", async () => {
  const other = await aStore(house);
  const stranger = await house.person({ permits: ["49.query"], villages: [other.villageId] });
  const { list } = await house.did(listExamines, { as: stranger }, { query: { box: "all" } });
  expect(list).toEqual([]);
  const mine = await house.did(listExamines, { as: world.clerk }, { query: { box: "sent" } });
  const first = mine.list[0]!.id;
  expect((await house.ask(getExamine, { as: stranger }, { params: { id: first } })).status).toBe(404);
  expect((await world.decide(first, stranger, "approve")).status).toBe(404);
  expect((await house.ask(listExamines, { as: world.clerk }, { query: { box: "all" } })).status).toBe(403);
});

test("papers handed in with a correction that waits are read by whoever may open it, and by nobody else", async () => {
  const { admin, clerk, manager, fallback, store } = world;
  const approver = await house.person({ villages: [store.villageId], name: "谢安之" });
  await aModule(house, admin, {
    moduleType: "billAdjust",
    name: "减免审批",
    villageIds: [store.villageId],
    fallback,
    processes: [otherwise(asking("店长", [approver]))],
  });
  const id = await world.bill(90_000);
  for (const disputed of [true, false]) {
    const { version } = await house.did(getBill, { as: clerk }, { params: { id } });
    await house.did(
      acts.disputeBill,
      { as: clerk },
      { params: { id }, body: { disputed, reason: "有异议", version } },
    );
  }
  const sent = await sendFile(house, clerk, { name: "说明.pdf", bytes: aPdf(), type: "application/pdf" });
  const fileId = sent.body.data.id;
  const loose = await sendFile(house, clerk, { name: "别的.pdf", bytes: aPdf(), type: "application/pdf" });
  const changes = [
    {
      lineId: (await house.did(getBill, { as: clerk }, { params: { id } })).lines[0]!.id,
      mode: "minus" as const,
      value: 10_000,
    },
  ];
  const { hash } = await house.did(acts.previewAdjust, { as: clerk }, { params: { id }, body: { changes } });
  const { examineId } = await house.did(
    acts.adjustBill,
    { as: clerk },
    { params: { id }, body: { changes, reason: "空调停用", fileIds: [fileId], previewHash: hash } },
  );
  const seen = await world.examine(examineId, approver);
  expect(seen.files.map((f) => f.name)).toEqual(["说明.pdf"]);
  expect(seen.history.map((m) => `${m.who} ${m.what}`)).toEqual(["周敏 解除争议", "周敏 标记争议"]);
  const read = (as: Person, file: number) =>
    house.app.inject({
      method: "GET",
      url: `/system/api/v3/examine/${examineId}/file/${file}`,
      headers: { authorization: as.token },
    });
  const opened = await read(approver, fileId);
  expect([opened.statusCode, opened.rawPayload.equals(aPdf())]).toEqual([200, true]);
  // the approver may not read bills, so not the file by itself either
  const plain = await house.ask(getFile, { as: approver }, { params: { id: fileId } });
  expect(plain.status).toBe(403);
  expect((await read(manager, fileId)).statusCode).toBe(404);
  expect((await read(approver, loose.body.data.id)).statusCode).toBe(404);
});
