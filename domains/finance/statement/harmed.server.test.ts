import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addAccount } from "../account/account.service.ts";
import { aStore } from "../bill/bill.sample.ts";
import { bankFile } from "../corporate/corporate.sample.ts";
import { sendStatement } from "../reconcile/reconcile.sample.ts";
import { aFile, aHarm, harmedAs, written } from "./harmed.sample.ts";
import { importStatement, previewStatement } from "./statement.contract.ts";
import { MERCHANT, PID } from "./statement.sample.ts";

const house = await testHouse();
house.setClock("2026-03-14T10:00:00+08:00");
const { db, pool } = house.database;
const { villageId } = await aStore(house);
const as = await house.person({ superType: "1", name: "赵对账" });
const of = { enterpriseId: house.enterpriseId, holderVillageId: villageId };
const accounts = {
  wechat: await addAccount({ tx: db }, { ...of, name: "微信", kind: "wechat", mchId: MERCHANT }),
  alipay: await addAccount({ tx: db }, { ...of, name: "支付宝", kind: "alipay", mchId: PID }),
  till: await addAccount({ tx: db }, { ...of, name: "内置收银", kind: "till" }),
  bank: await addAccount(
    { tx: db },
    {
      ...of,
      name: "基本户",
      kind: "bank",
      bankName: "招商银行",
      bankAccountNo: "622288000000018",
      statementMode: "reconcile",
    },
  ),
};
const send = (accountId: number, bytes: Buffer, more = {}) =>
  sendStatement(house, importStatement, { as, accountId, bytes, more });
const kept = async () =>
  (
    await pool.query<Record<string, number>>(
      `select (select count(*)::int from statement) files, (select count(*)::int from statement_line) lines,
        (select count(*)::int from reconcile_item) records, (select count(*)::int from journal_entry) entries,
        (select count(*)::int from statement_run) runs, (select count(*)::int from stored_file) stored`,
    )
  ).rows[0]!;

test("law: of a harmed file that is refused nothing is kept, of one that is taken all that it tells", async () => {
  await fc.assert(
    fc.asyncProperty(aFile, aHarm, async (file, how) => {
      const before = await kept();
      const bytes = await harmedAs(file, how);
      const answer = await send(accounts[written(file).of.kind], bytes);
      const after = await kept();
      if (answer.status !== 200) {
        expect(answer).toMatchObject({ status: 400, message: expect.stringMatching(/^[^a-z]+/) });
        expect(after).toEqual(before);
        return;
      }
      const { lineCount, newCount } = answer.data as { lineCount: number; newCount: number };
      expect(newCount).toBeLessThanOrEqual(lineCount);
      expect([after["files"], after["lines"]]).toEqual([before["files"]! + 1, before["lines"]! + newCount]);
    }),
    cases(12),
  );
});

test("a file whose balances have a gap is taken only with a reason", async () => {
  const lines = bankFile([
    { day: "2026-03-06", amount: 10_000, name: "甲" },
    { day: "2026-03-07", amount: 20_000, name: "乙" },
    { day: "2026-03-08", amount: 30_000, name: "丙" },
  ]).toString();
  const gap = Buffer.from(lines.split("\r\n").toSpliced(2, 1).join("\r\n"));
  const before = await kept();
  const { data } = await sendStatement(house, previewStatement, { as, accountId: accounts.bank, bytes: gap });
  expect(data).toMatchObject({ refusal: "", warnings: ["余额不连续：第 3 行"] });
  for (const note of ["", "断"])
    expect(await send(accounts.bank, gap, { note })).toMatchObject({
      status: 400,
      message: "余额不连续，仍要导入请填写说明",
    });
  expect(await kept()).toEqual(before);
  expect(await send(accounts.bank, gap, { note: "银行漏打一笔" })).toMatchObject({
    status: 200,
    data: { lineCount: 2, newCount: 2 },
  });
});
