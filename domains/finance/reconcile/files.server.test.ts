import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openBook } from "../../../platform/server/sheets/book.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAccount, linkAccount } from "../account/account.service.ts";
import { checkLedger } from "../check/check.service.ts";
import { aCounter, take } from "../flow/flow.sample.ts";
import { refundOf } from "../refund/refund.sample.ts";
import * as files from "../statement/statement.contract.ts";
import { type Given, MERCHANT, type Paid, wechatBill } from "../statement/statement.sample.ts";
import { endTemplate, listTemplates, saveTemplate } from "../statement/template.contract.ts";
import * as calls from "./reconcile.contract.ts";
import { tellAged } from "./reconcile.job.ts";
import { progressSeen, sendStatement } from "./reconcile.sample.ts";

const house = await testHouse();
house.setClock("2026-03-14T10:00:00+08:00");
const { db, pool } = house.database;
const counter = await aCounter(house);
const { store, partyId } = counter;
const villages = [store.villageId];
const PERMITS = ["25.query", "25.import", "#2501", "108.add", "108.get"];
const clerk = await house.person({ permits: PERMITS, villages, name: "赵对账" });
const DAY = "2026-03-10";
const at = `${DAY} 08:00:01`;

let count = 0;
async function anAccount(kind: "wechat" | "bank") {
  const mchId = String(Number(MERCHANT) + 100 + ++count);
  const id = await addAccount(
    { tx: db },
    {
      enterpriseId: house.enterpriseId,
      name: `账户${count}`,
      kind,
      holderVillageId: store.villageId,
      ...(kind === "wechat"
        ? { mchId, feeRate: "0.006" }
        : {
            bankName: "招商银行",
            bankAccountNo: String(622_288_000_000_000 + count),
            statementMode: "reconcile" as const,
          }),
    },
  );
  if (kind === "wechat")
    await linkAccount({ tx: db }, { villageId: store.villageId, payType: "wechat", merchantAccountId: id });
  return { id, mchId };
}
const bill = (mchId: string, paid: readonly Paid[], given: readonly Given[] = []) =>
  Buffer.from(wechatBill(paid, given).replaceAll(MERCHANT, mchId));
const send = (
  call: Parameters<typeof sendStatement>[1],
  accountId: number,
  bytes: Buffer,
  more = {},
  as = clerk,
) => sendStatement(house, call, { as, accountId, bytes, more });
const rowsOf = async (accountId: number) =>
  (await house.did(calls.listReconcile, { as: clerk }, { query: { merchantAccountId: accountId } as never }))
    .list;

const ODD = [
  "对账中心导出,,,,",
  "入账时点,流水序号,进账,出账,来款人",
  "10/03/2026,A1,120.00,,宏远商贸",
  "11/03/2026,A2,,20.00,物业公司",
].join("\n");
const COLUMNS = { date: "入账时点", serial: "流水序号", in: "进账", out: "出账", name: "来款人", notes: [] };
const READING = { skipLines: 1, dateFormat: "dmy" as const, columns: COLUMNS };

test("a bank with names of its own is read by a template: tried, kept in versions, chosen by the account, ended", async () => {
  const { id } = await anAccount("bank");
  const as = { as: clerk };
  const plain = await send(files.previewStatement, id, Buffer.from(ODD));
  expect(plain.data).toMatchObject({
    refusal: "无法识别的账单格式，请选择格式或使用银行模板",
    head: [{ line: 1, cells: ["对账中心导出", "", "", "", ""] }, { line: 2 }, { line: 3 }, { line: 4 }],
  });
  const tried = await send(files.previewStatement, id, Buffer.from(ODD), { draft: JSON.stringify(READING) });
  expect(tried.data).toMatchObject({
    refusal: "",
    lineCount: 2,
    sumIn: 12_000,
    sumOut: 2_000,
    dateFrom: "2026-03-10",
    dateTo: "2026-03-11",
    first: [
      { occurredAt: "2026-03-10 00:00:00", counter: "宏远商贸", raw: expect.stringContaining("10/03/2026") },
      {},
    ],
  });
  const half = { ...READING, columns: { date: "入账时点", in: "进账" } };
  expect(
    (await send(files.previewStatement, id, Buffer.from(ODD), { draft: JSON.stringify(half) })).message,
  ).toBe("请选择支出金额");
  const missing = { ...READING, columns: { ...COLUMNS, balance: "结余" } };
  expect(
    (await send(files.previewStatement, id, Buffer.from(ODD), { draft: JSON.stringify(missing) })).data,
  ).toMatchObject({ refusal: "缺少列：结余" });

  const save = (more: object) =>
    house.ask(saveTemplate, as, {
      body: { merchantAccountId: id, name: "城商行网银", version: 0, ...READING, ...more } as never,
    });
  const first = await save({});
  expect(first.body.data).toMatchObject({ no: 1 });
  expect((await save({})).body.fields).toEqual([{ field: "name", msg: "已有同名的银行模板" }]);
  const taken = await send(files.importStatement, id, Buffer.from(ODD), {
    templateId: String(first.body.data.id),
  });
  expect(taken.data).toMatchObject({ runId: null, lineCount: 2, newCount: 2 });
  const { list: batches } = await house.did(files.listStatements, as, {
    query: { merchantAccountId: id } as never,
  });
  expect(batches[0]).toMatchObject({ templateName: "城商行网银 第 1 版", format: "bank" });

  // two people change it: the second has not seen the first, and who chose the old version chooses anew
  expect((await save({ version: 1, dateFormat: "mdy" })).body.data).toMatchObject({ no: 2 });
  expect((await save({ version: 1 })).status).toBe(409);
  const again = Buffer.from(ODD.replaceAll("A1", "B1").replaceAll("A2", "B2"));
  expect(
    (await send(files.previewStatement, id, again, { templateId: String(first.body.data.id) })).message,
  ).toBe("银行模板已被修改或停用，请重新选择");
  const { list, usedId } = await house.did(listTemplates, as, { query: { merchantAccountId: id } });
  expect([list.map((t) => [t.name, t.no, t.dateFormat]), usedId]).toEqual([
    [["城商行网银", 2, "mdy"]],
    list[0]!.id,
  ]);
  // a wrong day names line, column, content and reason
  expect(
    (
      await send(files.previewStatement, id, Buffer.from(ODD.replace("11/03", "31/13")), {
        templateId: String(usedId),
      })
    ).data,
  ).toMatchObject({
    faults: [{ line: 4, column: "入账时点", content: "31/13/2026", reason: "时间格式错误" }],
  });

  expect((await house.ask(endTemplate, { as: counter.stranger }, { params: { id: usedId! } })).status).toBe(
    403,
  );
  const outside = await house.person({ permits: PERMITS, villages: [] });
  expect((await house.ask(endTemplate, { as: outside }, { params: { id: usedId! } })).status).toBe(404);
  await house.did(endTemplate, as, { params: { id: usedId! } });
  expect((await house.did(listTemplates, as, { query: { merchantAccountId: id } })).list).toEqual([]);
});

test("lines at fault come back as a sheet, with whole account numbers masked", async () => {
  const { id } = await anAccount("bank");
  const file = [
    "交易日期,流水号,收入金额,支出金额,对方账号",
    "2026-13-10,A1,1.00,,6222021234567890123",
    "2026-03-10,A2,1.0o,,6222021234567890123",
    "2026-03-10,A3,1.00,,6222021234567890123,x",
  ].join("\n");
  const { file: sheet } = await send(files.statementFaults, id, Buffer.from(file));
  const [faults] = await openBook(sheet!);
  expect(faults!.rows.map((row) => row.values)).toEqual([
    ["行号", "列", "内容", "原因"],
    [2, "交易日期", "2026-13-10", "时间格式错误"],
    [3, "收入金额", "1.0o", "金额格式错误"],
    [4, "整行", "2026-03-10,A3,1.00,,6222****0123,x", "列数不符(6/5)"],
  ]);
  const outside = await house.person({ permits: PERMITS, villages: [] });
  expect((await send(files.statementFaults, id, Buffer.from(file), {}, outside)).status).toBe(404);
});

test("a refund that only the channel knows is registered, approved and paid by its line; nothing is sent", async () => {
  const { id, mchId } = await anAccount("wechat");
  const paid = await take(house, store, { ...counter.accounts, wechat: id }, partyId, {
    amount: 50_000,
    paidAt: `${DAY}T08:00:00+08:00`,
    outTradeNo: "SKR1",
    channelTradeNo: "42000SKR1",
  });
  const line = { no: "SKR1", at, amount: 50_000, fee: 300 };
  await send(
    files.importStatement,
    id,
    bill(
      mchId,
      [line],
      [
        { ...line, at: `${DAY} 09:00:00`, amount: 20_000, fee: 120, refund: "WX1" },
        { ...line, at: `${DAY} 09:30:00`, amount: 5_000, fee: 30, refund: "WX2" },
      ],
    ),
  );
  const find = async (theirs: number) => (await rowsOf(id)).find((row) => row.theirs === theirs)!;
  const row = await find(-20_000);
  expect(row).toMatchObject({ result: "onlyThere", payerId: partyId, refundNo: null });
  const body = {
    partyId,
    source: "prepaid" as const,
    sourceId: partyId,
    villageId: store.villageId,
    note: "商户平台已退",
    version: row.version,
  };
  const register = (itemId: number, more: object = {}, as = clerk) =>
    house.ask(
      calls.refundItem,
      { as, key: crypto.randomUUID() },
      { params: { id: itemId }, body: { ...body, ...more } as never },
    );
  const noApply = await house.person({ permits: PERMITS.filter((p) => p !== "108.add"), villages });
  expect((await register(row.id, {}, noApply)).status).toBe(403);
  expect((await register((await find(50_000)).id)).body.message).toBe("只有渠道有系统无的退款可以登记退款");

  const done = await register(row.id);
  expect(done.body.data).toMatchObject({ refundNo: expect.stringMatching(/^TK/), waiting: null });
  const refund = await refundOf(house, clerk, done.body.data.id);
  expect(refund).toMatchObject({ state: "paid", paid: 20_000, route: "channel", routeNote: "渠道已退款" });
  expect(refund.attempts).toMatchObject([{ channelRefundNo: "WX1", state: "success", amount: 20_000 }]);
  expect(await find(-20_000)).toMatchObject({ result: "feeFixed", ours: -20_000, feeFixed: -120 });
  expect((await register(row.id)).status).toBe(404);

  // where refunds are approved it waits for that, and nobody deals with the line meanwhile
  const boss = await house.person({ superType: "1", name: "钱经理" });
  await aModule(house, boss, {
    moduleType: "refund",
    name: "退款审批",
    villageIds: villages,
    fallback: boss,
    processes: [otherwise(asking("经理", [boss]))],
  });
  const decide = async (refundId: number, decision: "approve" | "reject") => {
    const { id: examineId, version } = await db
      .selectFrom("examine")
      .select(["id", "version"])
      .where("targetKind", "=", "refund")
      .where("targetId", "=", refundId)
      .executeTakeFirstOrThrow();
    const body = { decision, version, comment: "已核对" };
    await house.did(decideExamine, { as: boss }, { params: { id: examineId }, body: body as never });
  };
  const second = await find(-5_000);
  const waits = await register(second.id, { version: second.version });
  expect(waits.body.data.waiting).toMatch(/^SP/);
  expect(await find(-5_000)).toMatchObject({ result: "onlyThere", refundNo: waits.body.data.refundNo });
  const accept = { resolution: "accept" as const, note: "不是我们的", version: second.version };
  expect(
    (await house.ask(calls.resolveItem, { as: clerk }, { params: { id: second.id }, body: accept })).body
      .message,
  ).toBe(`该流水已登记退款 ${waits.body.data.refundNo}，正在审批`);
  await decide(waits.body.data.id, "reject");
  await house.deliver();
  expect(await find(-5_000)).toMatchObject({ refundNo: null });
  const anew = await register(second.id, { version: second.version });
  await decide(anew.body.data.id, "approve");
  expect(await refundOf(house, clerk, anew.body.data.id)).toMatchObject({ state: "paid" });
  await house.deliver();
  expect(await find(-5_000)).toMatchObject({ result: "feeFixed", ours: -5_000 });
  expect(
    (await db.selectFrom("flow").select("unallocated").where("id", "=", paid.id).executeTakeFirstOrThrow())
      .unallocated,
  ).toBe(25_000);
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});

test("all open differences of one result are dealt with by one note, as they were seen; old ones are told of", async () => {
  const { id, mchId } = await anAccount("wechat");
  await send(
    files.importStatement,
    id,
    bill(
      mchId,
      [1, 2, 3].map((n) => ({ no: `SKX${n}`, at, amount: 100 * n })),
    ),
  );
  const boss = await house.person({ superType: "1", name: "孙主管" });
  const titles = async () =>
    (
      await pool.query<{ title: string }>(
        `select m.title from message m join message_receipt r on r.message_id = m.id
          where r.operator_id = $1 and m.biz_type = 'agedDifferences' and m.biz_id = $2`,
        [boss.operatorId, id],
      )
    ).rows.map((row) => row.title);
  house.setClock("2026-03-12T10:00:00+08:00");
  await acting(house, tellAged);
  expect(await titles()).toEqual([]);
  house.setClock("2026-03-13T10:00:00+08:00");
  await acting(house, tellAged);
  await acting(house, tellAged);
  expect(await titles()).toEqual([`账户${count}有 3 笔对账差异超过2天未处理`]);
  house.setClock("2026-03-14T10:00:00+08:00");

  const resolve = (more: object) =>
    house.ask(
      calls.resolveShown,
      { as: clerk },
      {
        body: {
          filter: { merchantAccountId: id, result: "onlyThere" },
          resolution: "accept",
          note: "门店自用收款",
          count: 3,
          diff: -600,
          ...more,
        } as never,
      },
    );
  expect((await resolve({ count: 2, diff: -300 })).body.message).toBe("筛选结果已变化，请核对后重新处理");
  expect((await rowsOf(id)).every((row) => row.resolution === null)).toBe(true);
  expect((await resolve({})).body.data).toEqual({ count: 3 });
  expect((await rowsOf(id)).map((row) => [row.resolution, row.note])).toEqual(
    [1, 2, 3].map(() => ["accept", "门店自用收款"]),
  );
  const outside = await house.person({ permits: PERMITS, villages: [] });
  expect(
    (
      await house.ask(
        calls.resolveShown,
        { as: outside },
        {
          body: {
            filter: { merchantAccountId: id, result: "onlyThere" },
            resolution: "accept",
            note: "别人的",
            count: 1,
            diff: 0,
          },
        },
      )
    ).status,
  ).toBe(404);
});

const LONG = 5_200;

test("a long file is left to a job, which tells how far it is, and is taken back by one", async () => {
  const { id, mchId } = await anAccount("wechat");
  const lines = Array.from({ length: LONG }, (_, i) => ({ no: `SKL${i}`, at, amount: 100 + (i % 7) }));
  const file = gzipSync(bill(mchId, lines));
  const key = crypto.randomUUID();
  const start = () =>
    sendStatement(house, files.importStatement, { as: clerk, accountId: id, bytes: file, key });
  const { data } = await start();
  expect(data).toMatchObject({ id: null, runId: expect.any(Number) });
  // pressed twice it is one run; another file waits for its end
  expect((await start()).data).toEqual(data);
  const other = gzipSync(
    bill(
      mchId,
      lines.map((line) => ({ ...line, no: `${line.no}B` })),
    ),
  );
  expect((await send(files.importStatement, id, other)).message).toBe(
    "该账户有对账单正在处理，请等处理完成后再试",
  );
  const runs = (more: object = {}, as = clerk) =>
    house.did(files.listRuns, { as }, { query: { mode: "reconcile", ...more } as never });
  expect(await runs()).toMatchObject([{ id: data["runId"], kind: "import", state: "running", progress: 0 }]);
  const outside = await house.person({ permits: PERMITS, villages: [] });
  expect(await runs({}, outside)).toEqual([]);
  const seen = await progressSeen(house, clerk, Number(data["runId"]));
  expect([seen, seen.length > 2]).toEqual([seen.toSorted((a, b) => a - b), true]);
  expect(await runs()).toEqual([]);
  expect(await runs({ id: data["runId"] })).toMatchObject([
    {
      state: "done",
      progress: 100,
      told: expect.stringMatching(/^已导入 DZ\d{8}-\d{6}：共 5200 行，新增 5200，重复 0$/),
    },
  ]);
  const counts = await house.did(calls.countReconcile, { as: clerk }, { query: { merchantAccountId: id } });
  expect(counts).toMatchObject({ all: LONG, onlyThere: LONG });
  expect((await send(files.importStatement, id, file)).message).toMatch(/^该文件已导入（批次 DZ/);

  const batch = async () =>
    (await house.did(files.listStatements, { as: clerk }, { query: { merchantAccountId: id } as never }))
      .list[0]!;
  const { version, id: statementId } = await batch();
  const sent = { params: { id: statementId }, query: { version } };
  const { runId } = await house.did(files.undoStatement, { as: clerk }, sent);
  expect(
    (await house.ask(files.undoStatement, { as: clerk, key: crypto.randomUUID() }, sent)).body.message,
  ).toBe("该账户有对账单正在处理，请等处理完成后再试");
  await house.deliver();
  expect(await runs({ id: runId })).toMatchObject([{ kind: "undo", state: "done", told: "已撤销导入" }]);
  expect((await batch()).undoneAt).not.toBeNull();
  expect(await rowsOf(id)).toEqual([]);

  // what is wrong is said in the end, and nothing of it stays
  const broken = gzipSync(Buffer.from(bill(mchId, lines).toString().replace("`SUCCESS", "`WRONG")));
  const { data: failing } = await send(files.importStatement, id, broken);
  await house.deliver();
  expect(await runs()).toMatchObject([
    { id: failing["runId"], state: "failed", told: "文件有 1 处错误，没有导入任何流水" },
  ]);
  expect(
    (await pool.query("select 1 from statement_line where merchant_account_id = $1", [id])).rows,
  ).toEqual([]);
});
