import { describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aPng, postFile, sendFile } from "../../system/file/file.sample.ts";
import { contractBills } from "../contract/detail.contract.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { aMerchantForm } from "../contract/firm.sample.ts";
import { previewContract } from "../preview/preview.contract.ts";
import type { TurnoverRule } from "../terms/terms.contract.ts";
import {
  bringPaper,
  dropPaper,
  salesDeclare,
  salesOpen,
  salesPage,
  sendSalesLink,
  trialSales,
  undeclaredSales,
} from "./link.contract.ts";
import {
  confirmSales,
  correctSales,
  declareSales,
  editSales,
  listSales,
  previewSales,
  removeSales,
  submitSales,
  turnoverMonths,
} from "./statement.contract.ts";
import { followTurnover } from "./turnover.job.ts";
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

describe("the merchant declares by a link of its own", () => {
  const body = (last4: string, more: object = {}) => ({ last4, monthNo: 4, ...more }) as never;
  /** A month of a link as its page shows it. */
  const opens = async (params: { token: string }, last4: string, no = 4) => {
    const { months } = await house.did(salesOpen, {}, { params, body: body(last4) });
    return months.find((m) => m.no === no)!;
  };
  /** A year's lease whose fourth month has ended, and the link to declare it. */
  async function linked(day = "2026-05-05T10:00:00+08:00") {
    const contractId = await aLease(BANDS);
    house.setClock(day);
    const sent = await house.did(sendSalesLink, { as }, { body: { contractId, monthNo: 4 } });
    const { last4 } = await db
      .selectFrom("salesLink")
      .select("last4")
      .where("id", "=", sent.id)
      .executeTakeFirstOrThrow();
    return { contractId, sent, last4, params: { token: sent.path.split("/").at(-1)! } };
  }
  const standing = (contractId: number) =>
    db
      .selectFrom("salesStatement")
      .select(["monthNo", "net", "source", "state"])
      .where("contractId", "=", contractId)
      .orderBy("id")
      .execute();

  test("once, after the last four: what it declares waits for confirmation, and the keeper hears of it", async () => {
    const { contractId, params, last4, sent } = await linked();
    expect(sent.last4Of).toBe("creditCode");
    const { rows } = await house.database.pool.query<{ body: string; link: string }>(
      "select body, params->>'link' link from outbox order by id desc limit 1",
    );
    expect(rows[0]!.body).toMatch(
      /^【.+】请申报 .+ 2026-01、2026-02、2026-03 等 4 个月 的营业额：••••••，15天内有效$/,
    );
    expect(rows[0]!.link).toContain(sent.path);
    expect(await house.did(salesPage, {}, { params })).toMatchObject({
      months: ["2026-01", "2026-02", "2026-03", "2026-04"],
      merchant: "钱*",
    });
    const opened = await opens(params, last4);
    expect(opened).toMatchObject({ from: "2026-04-01", to: "2026-04-30", standing: null, why: null });
    const figures = { gross: 12_300_000, refunds: 200_000, excluded: 100_000, note: "含线上" };
    const said = await house.did(salesDeclare, {}, { params, body: body(last4, figures) });
    expect(said).toEqual({ said: "2026-04 营业额净额 120,000.00 元已提交，等待确认" });
    expect(await standing(contractId)).toEqual([
      { monthNo: 4, net: 12_000_000, source: "declared", state: "submitted" },
    ]);
    const { title } = await db
      .selectFrom("message")
      .select("title")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(title).toMatch(/申报了 2026-04 营业额$/);
    const again = await house.ask(salesDeclare, {}, { params, body: body(last4, figures) });
    expect([again.status, again.body.message]).toEqual([409, "该月营业额已申报，如需更正请联系管家"]);
    expect(await opens(params, last4)).toMatchObject({
      why: "该月营业额已申报，如需更正请联系管家",
      standing: { net: 12_000_000, note: "含线上" },
    });
    const more = await house.ask(sendSalesLink, { as }, { body: { contractId, monthNo: 4 } });
    expect([more.status, more.body.message]).toEqual([400, "该月营业额已申报，如需更正请退回更正后再发送"]);
  });

  test("one message for all months of the shop that are due: each is declared by itself on its one link", async () => {
    const { contractId, params, last4 } = await linked();
    const { rows } = await house.database.pool.query<{ n: number }>(
      "select count(*)::int n from outbox o join sales_link l on l.id = o.source_id where l.contract_id = $1",
      [contractId],
    );
    expect(rows).toEqual([{ n: 1 }]);
    const send = (monthNo: number) =>
      house.ask(salesDeclare, {}, { params, body: body(last4, { monthNo, gross: monthNo }) });
    expect([(await send(2)).status, (await send(4)).status, (await send(2)).status]).toEqual([200, 200, 409]);
    expect((await send(5)).status, "a month that the link is not for").toBe(410);
    const { months } = await house.did(salesOpen, {}, { params, body: body(last4) });
    expect(months.map((m) => [m.no, m.standing?.net, !m.why])).toEqual([
      [1, undefined, true],
      [2, 2, false],
      [3, undefined, true],
      [4, 4, false],
    ]);
    // what is due still goes over to the next link, what was declared is looked up on the old one
    const next = await house.did(sendSalesLink, { as }, { body: { contractId, monthNo: 1 } });
    const at = { token: next.path.split("/").at(-1)! };
    expect((await house.did(salesPage, {}, { params: at })).months).toEqual(["2026-01", "2026-03"]);
    expect((await house.did(salesPage, {}, { params })).months).toEqual(["2026-02", "2026-04"]);
  });

  test("a stranger, a sum below nothing, an old link, an unknown one: each is refused", async () => {
    const { contractId, params, last4 } = await linked();
    const wrong = last4 === "0000" ? "1111" : "0000";
    const said = async (sent: object, at = params) => {
      const answer = await house.ask(salesDeclare, {}, { params: at, body: sent as never });
      return [answer.status, answer.body.fields?.[0]?.msg ?? answer.body.message];
    };
    expect(await said(body(last4, { gross: 100, refunds: 101 }))).toEqual([400, "净额不能为负"]);
    expect(await said(body(last4, {}))).toEqual([400, "请输入营业额"]);
    expect(await said(body(wrong, { gross: 1 }))).toEqual([400, "统一社会信用代码后四位不正确，还可尝试2次"]);
    await said(body(wrong, { gross: 1 }));
    expect(await said(body(wrong, { gross: 1 }))).toEqual([423, "验证次数过多，请30分钟后再试"]);
    expect(await said(body(last4, { gross: 1 }))).toEqual([423, "验证次数过多，请30分钟后再试"]);
    const next = await house.did(sendSalesLink, { as }, { body: { contractId, monthNo: 4 } });
    expect(await said(body(last4, { gross: 1 }))).toEqual([410, "链接已失效，请使用新链接或联系管家"]);
    house.setClock("2026-05-20T10:00:00+08:00");
    const token = next.path.split("/").at(-1)!;
    expect(await said(body(last4, { gross: 1 }), { token })).toEqual([410, "链接已过期，请联系管家重新发送"]);
    expect(await said(body(last4, { gross: 1 }), { token: "x".repeat(22) })).toEqual([
      404,
      "链接无效，请核对短信中的链接",
    ]);
    expect(await standing(contractId)).toEqual([]);
  });

  test("what was given back is put right by a link; a guess gives way to it; two phones make one", async () => {
    const { contractId, params, last4 } = await linked();
    const send = (gross: number) => house.ask(salesDeclare, {}, { params, body: body(last4, { gross }) });
    const both = await Promise.all([send(100), send(200)]);
    expect(both.map((a) => a.status).toSorted()).toEqual([200, 409]);
    const [{ id, version } = { id: 0, version: 0 }] = await db
      .selectFrom("salesStatement")
      .select(["id", "version"])
      .where("contractId", "=", contractId)
      .execute();
    await house.did(correctSales, { as }, { params: { id }, body: { reason: "请核对线上销售", version } });
    const sent = await house.did(sendSalesLink, { as }, { body: { contractId, monthNo: 4 } });
    const at = { token: sent.path.split("/").at(-1)! };
    expect(await opens(at, last4)).toMatchObject({
      reason: "请核对线上销售",
      why: null,
    });
    await house.did(salesDeclare, {}, { params: at, body: body(last4, { gross: 300 }) });
    expect(await standing(contractId)).toEqual([
      { monthNo: 4, net: 300, source: "declared", state: "submitted" },
    ]);

    house.setClock("2026-06-12T08:40:00+08:00");
    await acting(house, followTurnover);
    const guess = (await standing(contractId)).at(-1);
    expect(guess).toMatchObject({ monthNo: 5, source: "estimated", state: "submitted" });
    const may = await house.did(sendSalesLink, { as }, { body: { contractId, monthNo: 5 } });
    const token = may.path.split("/").at(-1)!;
    expect((await opens({ token }, last4, 5)).standing).toBeNull();
    await house.did(salesDeclare, {}, { params: { token }, body: body(last4, { monthNo: 5, gross: 400 }) });
    expect((await standing(contractId)).slice(-2)).toEqual([
      { monthNo: 5, net: 0, source: "estimated", state: "corrected" },
      { monthNo: 5, net: 400, source: "declared", state: "submitted" },
    ]);
  });

  /** Sends a file as the page does. */
  async function brings(token: string, last4: string, file: { name: string; bytes: Buffer }) {
    const url = bringPaper.path.replace(":token", token);
    const { status, body } = await postFile<{ id: number } | null>(house, url, file, {
      fields: { last4, monthNo: "4" },
    });
    return { status, said: body.fields?.[0]?.msg ?? body.message, id: Number(body.data?.id) };
  }

  test("papers wait on the link: those that are named go with the month, nobody else reads them before", async () => {
    const { contractId, params, last4 } = await linked();
    const { token } = params;
    const slip = { name: "小票.png", bytes: aPng() };
    const wrong = last4 === "0000" ? "1111" : "0000";
    expect((await brings(token, wrong, slip)).said).toBe("统一社会信用代码后四位不正确，还可尝试2次");
    expect(await brings(token, last4, { name: "小票.exe", bytes: Buffer.from("MZ") })).toMatchObject({
      status: 400,
      said: "请上传图片或PDF文件",
    });
    const [kept, dropped] = [await brings(token, last4, slip), await brings(token, last4, slip)];
    const opened = await opens(params, last4);
    expect(opened.papers).toEqual([kept, dropped].map(({ id }) => ({ id, name: "小票.png" })));
    const elsewhere = await linked();
    const figures = { gross: 100, papers: [kept.id] };
    const other = { params: elsewhere.params, body: body(elsewhere.last4, figures) };
    expect((await house.ask(salesDeclare, {}, other)).status).toBe(404);
    await house.did(salesDeclare, {}, { params, body: body(last4, figures) });
    const months = await house.did(turnoverMonths, { as }, { query: { merchantId: shop.merchantId } });
    const shown = months.find((s) => s.contractId === contractId)!.months.find((m) => m.no === 4)!;
    expect(shown.files).toMatchObject([{ id: kept.id, name: "小票.png" }]);
    expect((await brings(token, last4, slip)).status).toBe(409);
    const { rows } = await house.database.pool.query<{ loose: boolean }>(
      "select target_kind is null loose from stored_file where id = any($1) order by id",
      [[kept.id, dropped.id]],
    );
    expect(rows.map((r) => r.loose)).toEqual([false, true]);

    for (let i = 0; i < 10; i++)
      expect((await brings(elsewhere.params.token, elsewhere.last4, slip)).status).toBe(200);
    expect((await brings(elsewhere.params.token, elsewhere.last4, slip)).said).toBe("附件最多10个");
    // one that is taken off makes room, however often that is asked
    const last = { params: elsewhere.params, body: { last4: elsewhere.last4, monthNo: 4 } };
    const open = () => opens(elsewhere.params, elsewhere.last4);
    const { papers } = await open();
    const off = (id: number) => house.ask(dropPaper, {}, { ...last, body: { ...last.body, id } });
    expect([(await off(kept.id)).status, (await off(papers[0]!.id)).status]).toEqual([200, 200]);
    expect((await off(papers[0]!.id)).status).toBe(200);
    expect((await open()).papers).toEqual(papers.slice(1));
    expect((await brings(elsewhere.params.token, elsewhere.last4, slip)).status).toBe(200);
    // what was taken off still counts as brought
    const newest = async () => (await open()).papers.at(-1)!.id;
    for (let brought = 11; brought < 30; brought++) {
      await off(await newest());
      expect((await brings(elsewhere.params.token, elsewhere.last4, slip)).status).toBe(200);
    }
    await off(await newest());
    expect((await brings(elsewhere.params.token, elsewhere.last4, slip)).said).toBe(
      "连同已移除的附件最多上传30个，请直接提交申报",
    );
    // somebody who still sees it hears of it, and nothing is declared
    const seen = { ...last, body: body(elsewhere.last4, { gross: 100, papers: [papers[0]!.id] }) };
    expect((await house.ask(salesDeclare, {}, seen)).body).toMatchObject({
      code: 404,
      message: "有附件已被移除，请刷新本页后再提交",
    });
    expect((await open()).why).toBeNull();
    const gone = {
      ...last,
      body: { ...last.body, last4: elsewhere.last4 === "0000" ? "1111" : "0000", id: papers[1]!.id },
    };
    expect((await house.ask(dropPaper, {}, gone)).body.message).toMatch(/^统一社会信用代码后四位不正确/);
    expect(
      (await house.ask(dropPaper, {}, { params, body: { last4, monthNo: 4, id: kept.id } })).status,
    ).toBe(409);
    // what was handed over stays with the month
    const { rows: owner } = await house.database.pool.query(
      "select target_kind from stored_file where id = $1",
      [kept.id],
    );
    expect(owner).toEqual([{ target_kind: "salesStatement" }]);
  });

  test("who has not declared is listed with the day of the last link; other stores neither see nor send", async () => {
    const { contractId } = await linked();
    const listed = async (who: Person) =>
      (await house.did(undeclaredSales, { as: who }, { query: {} })).find(
        (r) => r.contractId === contractId && r.monthNo === 4,
      );
    expect(await listed(as)).toMatchObject({
      monthNo: 4,
      month: "2026-04",
      state: null,
      declareOn: "2026-05-05",
    });
    expect((await listed(as))?.sentAt).not.toBeNull();
    const elsewhere = await house.person({ permits: ["107.edit"], villages: [] });
    expect(await listed(elsewhere)).toBeUndefined();
    const no = await house.ask(sendSalesLink, { as: elsewhere }, { body: { contractId, monthNo: 4 } });
    expect(no.status).toBe(404);
    const early = await house.ask(sendSalesLink, { as }, { body: { contractId, monthNo: 5 } });
    expect(early.body.message).toBe("该月 2026-05-31 结束后才能申报");
    const looks = await house.person({ permits: ["107.query"], villages: [shop.villageId] });
    expect((await house.ask(sendSalesLink, { as: looks }, { body: { contractId, monthNo: 4 } })).status).toBe(
      403,
    );
  });
});

test("a month is worked out band by band before it is declared, and carries its slips", async () => {
  const contractId = await aLease(BANDS);
  const body = { contractId, monthNo: 2, gross: 12_000_000 };
  expect(await house.did(trialSales, { as }, { body })).toEqual({
    net: 12_000_000,
    base: 1_000_000,
    share: 1_140_000,
    topUp: 140_000,
    parts: ["50,000.00 × 8% = 4,000.00", "50,000.00 × 10% = 5,000.00", "20,000.00 × 12% = 2,400.00"],
  });
  const { data: file } = (await sendFile(house, as, { name: "小票.png", bytes: aPng() })).body;
  const id = await declare(contractId, 2, 12_000_000, { fileIds: [file.id], submit: false });
  const months = await house.did(turnoverMonths, { as }, { query: { merchantId: shop.merchantId } });
  const shown = months.find((s) => s.contractId === contractId)!.months.find((m) => m.no === 2)!;
  expect(shown.files).toMatchObject([{ id: file.id, name: "小票.png" }]);
  await house.did(editSales, { as }, { params: { id }, body: { gross: 1, fileIds: [], version: 1 } });
  const { list } = await house.did(listSales, { as }, { query: {} });
  expect(list.find((s) => s.id === id)).toMatchObject({ files: 0 });
});
