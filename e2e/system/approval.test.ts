import { expect, test } from "vitest";
import { aPdf } from "../../domains/system/file/file.sample.ts";
import { choose, demoPerson, story } from "../browser.sample.ts";

const { house, open, base } = await story({ rooms: 120 });

test("a store manager voids a bill above the amount; finance approves it from the workbench, and it is void", async () => {
  const { rows } = await house.database.pool.query<{ no: string }>(
    `select bill_no no from bill where village_id = 1 and amount between 150000 and 1900000 and settled = 0
       and written_off = 0 and voided_at is null and direction = 'receivable'
       and not exists (select from examine e where e.target_kind = 'bill' and e.target_id = bill.id)
     order by due_date, id limit 1`,
  );
  const no = rows[0]!.no;
  const clerk = await open({ as: await demoPerson(house, "dianzhang01") });
  await clerk.page.goto(`${base}/accountManage/BillListManage?tab=all&keyword=${no}`);
  await clerk.page.getByRole("button", { name: no }).click();
  const drawer = clerk.page.locator(".drawer");
  await drawer.getByRole("button", { name: "作废", exact: true }).click();
  const ask = clerk.page.getByRole("dialog", { name: `作废 ${no}` });
  await ask.locator("textarea").fill("重复生成");
  await ask.getByRole("button", { name: "作废" }).click();
  await clerk.page.getByText("已提交审批").waitFor();
  await drawer.getByRole("status").getByText(`作废账单 ${no}`).waitFor();
  await drawer.getByText("审批中，不能修改").first().waitFor();

  const finance = await open({ as: await demoPerson(house, "caiwu01") });
  const { page } = finance;
  await page.goto(`${base}/workbench/WorkbenchPage`);
  await page.getByRole("tab", { name: /^审批/ }).click();
  const row = page.locator(".sheet tbody tr.ant-table-row", { hasText: no });
  await row.getByRole("button", { name: "审批" }).click();
  const paper = page.locator(".drawer");
  await paper.getByText("作废的费用").waitFor();
  await paper.getByText("重复生成").first().waitFor();
  await paper.getByRole("button", { name: "通过" }).click();
  const form = page.getByRole("dialog", { name: "通过审批" });
  await form.locator("textarea").fill("核对无误");
  await form.getByRole("button", { name: "通过" }).click();
  await page.getByText("已通过").first().waitFor();
  // the next one that waits stands open
  await expect.poll(() => new URL(page.url()).searchParams.get("examineId")).toBeTruthy();

  await clerk.page.goto(`${base}/accountManage/BillListManage?tab=void&keyword=${no}`);
  await clerk.page.getByRole("button", { name: no }).click();
  await drawer.getByRole("tab", { name: "业务日志" }).click();
  await drawer.getByText("核对无误").waitFor();
  expect([...clerk.errors, ...finance.errors]).toEqual([]);
});

test("an administrator adds a lane, tries it, and sees whom it asks", async () => {
  const { page, errors } = await open({ as: await demoPerson(house, "qinghe01") });
  await page.goto(`${base}/system/AuditModule`);
  await page.getByRole("button", { name: "账单作废审批" }).click();
  const drawer = page.locator(".drawer").first();
  await drawer.getByRole("button", { name: "编辑" }).click();
  const form = page.getByRole("dialog", { name: /编辑审批配置/ });
  await form.getByRole("button", { name: "添加条件流程" }).click();
  const lane = form.getByRole("region", { name: "流程3" });
  await lane.locator(".proc__cond .num-in input").fill("800");
  await form.getByRole("button", { name: "保存" }).click();
  await page.getByText(/已保存/).waitFor();
  await drawer.getByText("金额 ≥ 800.00 元").waitFor();
  const trial = drawer.getByRole("region", { name: "试算" });
  await trial.locator(".num-in input").fill("900");
  await trial.getByText(/流程3/).waitFor();
  await trial.getByText("陈嘉禾").waitFor();

  // a condition may name several amounts
  await drawer.getByRole("button", { name: "编辑" }).click();
  await choose(
    () => lane.getByRole("combobox", { name: "比较方式" }).click(),
    page.locator(".ant-select-item-option").getByText("属于"),
  );
  const several = lane.getByRole("combobox", { name: "条件值" });
  await several.fill("900");
  await several.press("Enter");
  await several.fill("1,000.5，");
  await form.getByRole("button", { name: "保存" }).click();
  await drawer.getByText("金额 属于 800.00 元、900.00 元、1,000.50 元", { exact: true }).waitFor();
  expect(errors).toEqual([]);
});

test("what was handed in with a correction that waits opens in its drawer", async () => {
  const { rows } = await house.database.pool.query<{ id: number; no: string }>(
    `select id, bill_no no from bill where village_id = 1 and amount between 150000 and 1900000 and settled = 0
       and written_off = 0 and voided_at is null and direction = 'receivable'
       and not exists (select from examine e where e.target_kind = 'bill' and e.target_id = bill.id)
     order by due_date desc, id desc limit 1`,
  );
  const { id, no } = rows[0]!;
  const clerk = await open({ as: await demoPerson(house, "dianzhang01") });
  await clerk.page.goto(`${base}/accountManage/BillListManage?tab=all&id=${id}`);
  const bill = clerk.page.locator(".drawer").first();
  await bill.getByRole("button", { name: "减免" }).click();
  const form = clerk.page.getByRole("dialog", { name: `减免调整 ${no}` });
  await form.locator(".num-in input").first().fill("600");
  await form.getByPlaceholder("请填写原因（2-200字）").fill("空调停用半月");
  await form
    .locator("input[type=file]")
    .setInputFiles({ name: "说明.pdf", mimeType: "application/pdf", buffer: aPdf() });
  await form.getByRole("button", { name: "移除 说明.pdf" }).waitFor();
  await form.getByText(/未收 .*→/).waitFor();
  await form.getByRole("button", { name: "确认调整" }).click();
  await clerk.page.getByText("已提交审批").waitFor();

  const { page, errors } = await open({ as: await demoPerson(house, "caiwu01") });
  await page.goto(`${base}/workbench/WorkbenchPage?tab=examine`);
  const row = page.locator(".sheet tbody tr.ant-table-row", { hasText: no });
  await row.getByRole("button", { name: "审批" }).click();
  const paper = page.locator(".drawer");
  await paper.getByRole("heading", { name: "附件" }).waitFor();
  const shown = page.context().waitForEvent("page");
  await paper.getByRole("button", { name: "说明.pdf" }).click();
  await shown;
  expect([...clerk.errors, ...errors]).toEqual([]);
});
