import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { choose, demoPerson, PHONE, story } from "../browser.sample.ts";
import { usualMappings } from "../../domains/finance/posting/mapping.contract.ts";
import { applied } from "../../domains/finance/invoice/invoice.sample.ts";
import { yuan } from "../../platform/kernel/fen.ts";

const { house, open, base } = await story({ rooms: 120 });
const { pool } = house.database;

test("a clerk sees why a bill has its amount, lowers it, and finds the correction on it", async () => {
  const { page, errors } = await open({ as: await demoPerson(house, "qinghe01") });
  await page.goto(`${base}/accountManage/BillListManage?tab=overdue`);
  const row = page.locator(".sheet tbody tr.ant-table-row").first();
  await row.locator(".linkish").first().click();
  const drawer = page.locator(".drawer");
  await drawer.locator(".tbl .linkish").first().click();
  await drawer.getByRole("button", { name: "重算" }).click();
  await drawer.getByText("与账单一致，相差 0.00").waitFor();

  await drawer.getByRole("button", { name: "减免", exact: true }).click();
  const form = page.getByRole("dialog", { name: /减免调整/ });
  await form.locator(".num-in input").first().fill("100");
  await form.getByText("→").first().waitFor();
  await form.getByPlaceholder("请填写原因（2-200字）").fill("维修补偿");
  await form.getByRole("button", { name: "确认调整" }).click();
  await page.getByText("已调整").waitFor();

  await drawer.getByRole("tab", { name: /调整/ }).click();
  await drawer.getByText("维修补偿").first().waitFor();
  await drawer.getByText("−100.00").first().waitFor();
  expect(errors).toEqual([]);
});

test("a link to what is overdue opens its tab; some bills are ticked and reduced once, although the answer is lost", async () => {
  const { page, errors } = await open({ as: await demoPerson(house, "qinghe01") });
  await page.goto(`${base}/accountManage/BillListManage?overdue=1`);
  await page.getByRole("tab", { name: /^逾期/, selected: true }).waitFor();
  const boxes = page.locator(".sheet tbody tr.ant-table-row input[type=checkbox]");
  for (const i of [0, 1]) await boxes.nth(i).check();
  await page.getByText("已选 2 笔").waitFor();
  await choose(
    () => page.locator(".tools").getByRole("button", { name: "更多操作" }).click(),
    page.getByRole("menuitem", { name: "批量减免" }),
  );
  const form = page.getByRole("dialog", { name: "批量减免 2 笔账单" });
  // digits as a Chinese keyboard types them
  await form.getByPlaceholder("0.01-100").fill("１．０");
  await form.getByPlaceholder("请填写原因（2-200字）").fill("整栋停水补偿");
  const adjusted = async () =>
    (await pool.query<{ fen: number }>("select sum(adjusted)::bigint fen from bill")).rows[0]!.fen;
  const before = await adjusted();
  await page.route(
    "**/bill/batch/adjust",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  const reduce = form.getByRole("button", { name: "确认减免 2 笔" });
  await form.getByText(/，减免 [\d,.]+/).waitFor();
  const comesTo = /减免 ([\d,.]+)/.exec(await form.locator(".foot__notes").innerText())![1]!;
  await reduce.click();
  await form.getByRole("alert").getByText("网络连接失败，请检查网络后重试").waitFor();
  // the trial is made anew before it can be pressed again
  await form.getByText(`减免 ${comesTo}`).waitFor({ state: "hidden" });
  for (const busy of ["aria-busy", "aria-disabled"])
    await expect.poll(() => reduce.getAttribute(busy)).toBeNull();
  await reduce.click();
  await page.getByText("已减免 2 笔").waitFor();
  expect(yuan(before - (await adjusted()))).toBe(comesTo);
  expect(errors.filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
});

test("several bills of one payer go to the counter together; those of two payers do not", async () => {
  const { page, errors } = await open({ as: await demoPerson(house, "chuna01") });
  const { rows } = await pool.query<{ name: string; village: number }>(
    `select p.name, b.village_id::int village from bill b join party p on p.id = b.party_id
     where b.direction = 'receivable' and b.outstanding > 0 and b.due_date > current_date
       and (select count(*) from party same where same.name = p.name) = 1
     group by p.id, p.name, b.village_id having count(*) > 2 order by p.id limit 1`,
  );
  const [payer] = rows;
  const boxes = page.locator(".sheet tbody tr.ant-table-row input[type=checkbox]");
  const take = page.locator(".tools").getByRole("button", { name: "批量收款", exact: true });
  await page.goto(`${base}/accountManage/BillListManage?tab=plan`);
  await expect.poll(() => boxes.count()).toBeGreaterThan(5);
  await page.locator(".sheet thead input[type=checkbox]").first().check();
  await take.hover();
  await page.getByText("请选择同一客户、同一门店的应收账单").first().waitFor();

  await page.goto(
    `${base}/accountManage/BillListManage?tab=plan&villageIds=${payer!.village}&keyword=${payer!.name}`,
  );
  await page.locator(".sheet").getByText(payer!.name).first().waitFor();
  for (const i of [0, 1]) await boxes.nth(i).check();
  const owed = await page.locator(".tools__picked").innerText();
  await take.click();
  // none of them is due yet, so nothing would be chosen by itself
  await page.waitForURL("**/accountManage/addBillFlow?*billIds=*");
  const sum = /未收 ([\d,.]+)/.exec(owed)![1]!;
  await page.locator(".counter__sum").getByText(sum).last().waitFor();
  expect(errors).toEqual([]);
});

/** The lines of a paid bill of rent and another charge, neither of them invoiced. */
const toInvoice = async (): Promise<{ billId: number; rent: number; amount: number }> => {
  const { rows } = await pool.query<{ billId: number; rent: number; amount: number }>(
    `select b.id "billId", l.id rent, l.settled amount
     from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id
     join einvoice_village v on v.village_id = b.village_id
     where b.status = 'paid' and s.code = 'rent' and l.settled >= 100000 and l.invoiced + l.invoicing = 0
       and exists (select from bill_line o join fee_subject x on x.id = o.fee_subject_id
         where o.bill_id = b.id and x.code = 'property' and o.settled > 0 and o.invoiced + o.invoicing = 0)
     order by b.id limit 1`,
  );
  return rows[0]!;
};

test("on a phone each charge's amount for an invoice stands whole in its field", async () => {
  const { page, errors } = await open({ as: await demoPerson(house, "caiwu01"), size: PHONE });
  await page.goto(`${base}/accountManage/InvoiceManage?bills=${(await toInvoice()).billId}`);
  const field = page.getByRole("dialog", { name: /^申请开票/ }).getByLabel(/^租金 .*本次开票/);
  await expect.poll(() => field.inputValue()).toMatch(/\d{4}\.\d{2}|,\d{3}\.\d{2}/);
  const cut = await field.evaluate((input) => input.scrollWidth - input.clientWidth);
  expect(cut).toBeLessThanOrEqual(0);
  expect(errors).toEqual([]);
});

test("a charge that a colleague has applied for meanwhile leaves the application; what else was typed goes through", async () => {
  const as = await demoPerson(house, "caiwu01");
  const { page } = await open({ as });
  const { billId, rent, amount } = await toInvoice();
  await page.goto(`${base}/accountManage/InvoiceManage?bills=${billId}`);
  const form = page.getByRole("dialog", { name: /^申请开票/ });
  await form.getByLabel("备注").fill("十二楼");
  await form.getByText(/，共 \d 张/).waitFor();
  await applied(house, as, [{ lineId: rent, amount }]);
  const send = form.getByRole("button", { name: /^提交/ });
  await send.click();
  await form.getByText("可开票金额已变化").first().waitFor();
  await form.getByText("没有可开金额").waitFor();
  await send.click();
  await form.waitFor({ state: "detached" });
  const { rows } = await pool.query<{ remark: string }>(
    "select i.remark from invoice i join invoice_line y on y.invoice_id = i.id where y.bill_id = $1 and y.bill_line_id <> $2",
    [billId, rent],
  );
  expect(rows).toEqual([{ remark: "十二楼" }]);
});

/** Fills in a field of the open form, lets a colleague save first, takes over what is theirs and saves again. */
async function slower(page: Page, mine: string, typed: string, theirs: string) {
  const form = page.getByRole("dialog").last();
  const box = form.getByLabel(mine, { exact: true });
  await box.fill(typed);
  await pool.query(theirs);
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByRole("button", { name: "载入最新数据" }).click();
  await form
    .getByText(/已载入最新数据，您填写的内容已保留/)
    .first()
    .waitFor({ timeout: 5_000 });
  expect(await box.inputValue()).toBe(typed);
  await form.getByRole("button", { name: "保存" }).click();
  await page.getByText(/^已保存/).waitFor();
}

test("who was slower with an invoice goes on from what a colleague saved", async () => {
  const { page } = await open({ as: await demoPerson(house, "caiwu01") });
  await page.goto(`${base}/accountManage/InvoiceManage?tab=applied`);
  await page.getByRole("button", { name: "修改", exact: true }).first().click();
  const theirs =
    "update invoice set receiver_email = 'a@b.cn', version = version + 1 where state = 'applied'";
  await slower(page, "备注", "十二楼", theirs);
  const { rows } = await pool.query("select receiver_email mail from invoice where remark = '十二楼'");
  expect(rows).toContainEqual({ mail: "a@b.cn" });
});

test("who was slower with what a subject is on an invoice goes on from what a colleague saved", async () => {
  const { page } = await open({ as: await demoPerson(house, "admin2026") });
  const { rows } = await pool.query<{ id: number }>("select id from einvoice_config limit 1");
  await page.goto(`${base}/system/EinvoiceConf?id=${rows[0]!.id}`);
  await page
    .getByRole("row", { name: /物业管理费/ })
    .getByRole("button", { name: "设置" })
    .click();
  const theirs = "update einvoice_item set policy = '简易征收', version = version + 1";
  await slower(page, "项目名称", "物业服务费", theirs);
  const { rows: items } = await pool.query("select policy from einvoice_item where item_name = '物业服务费'");
  expect(items).toEqual([{ policy: "简易征收" }]);
});

test("so does who was slower with the mapping of an account", async () => {
  const boss = await demoPerson(house, "admin2026");
  await house.did(usualMappings, { as: boss });
  const { page } = await open({ as: boss });
  await page.goto(`${base}/accountManage/PostState?list=mapping&keyword=1002`);
  const row = page.locator("tbody tr.ant-table-row").first();
  await row.getByRole("button", { name: "修改" }).click();
  const theirs = "update gl_mapping set gl_code = '1002.09', version = version + 1 where account = '1002'";
  await slower(page, "辅助核算", "按银行账户", theirs);
  await row.getByText("1002.09").waitFor();
  await row.getByText("按银行账户").waitFor();
});

test("why an invoice failed or is not made yet stands beside it, without a scroll to the side", async () => {
  const { page } = await open({ as: await demoPerson(house, "caiwu01"), size: { width: 1440, height: 900 } });
  const { rows } = await pool.query<{ failure: string }>(
    "select failure from invoice where state = 'failed'",
  );
  const inSight = async (tab: string, why: string) => {
    await page.goto(`${base}/accountManage/InvoiceManage?tab=${tab}`);
    const cell = page.getByRole("cell", { name: why });
    await cell.waitFor();
    // what may be done, where anything may, stays over what is scrolled below it
    const acts = page.getByRole("columnheader", { name: "操作" });
    const edge = (await acts.count()) ? (await acts.boundingBox())!.x : 1440;
    const at = await cell.boundingBox();
    expect(at!.x + at!.width).toBeLessThanOrEqual(edge + 1);
  };
  await inSight("failed", rows[0]!.failure);
  const waits = "开票服务商没有响应，系统会自动查询结果";
  await pool.query("update invoice set state = 'issuing', failure = $1 where state = 'failed'", [waits]);
  await inSight("issuing", waits);
});
