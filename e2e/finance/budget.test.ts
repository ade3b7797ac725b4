import { beforeEach, expect, test } from "vitest";
import { aVillage } from "../../domains/listing/village/village.sample.ts";
import { listIndicators } from "../../domains/report/budget-indicator/budget-indicator.contract.ts";
import {
  addBudgets,
  budgetCells,
  listBudgets,
  saveCells,
} from "../../domains/report/budget/budget.contract.ts";
import { dayInZone } from "../../platform/kernel/day.ts";
import { PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const villageId = await aVillage(house, { name: "预算店" });
const PERMITS = ["query", "get", "add", "edit", "delete", "import", "export"].map(
  (verb) => `136.${verb}` as const,
);
const finance = await house.person({ name: "周财务", villages: [villageId], permits: [...PERMITS] });
const other = await house.person({ name: "钱会计", villages: [villageId], permits: [...PERMITS] });
const year = Number(dayInZone(new Date()).slice(0, 4));
const budgets = `${base}/accountManage/BudgetManage`;
const { page, errors } = await open({ as: finance });
const settled = settling(page);
beforeEach(() => pictureOnFailure(() => page));

const cell = (label: string) => page.getByLabel(label, { exact: true });
/** A block out of a spreadsheet, as the browser hands it over. */
const paste = (label: string, text: string) =>
  cell(label).evaluate((input, copied) => {
    const data = new DataTransfer();
    data.setData("text", copied);
    input.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);

test("a budget is drafted, filled by block, spread and raised, and in force once it is handed in", async () => {
  await page.goto(budgets);
  await page.getByRole("button", { name: "新建预算" }).first().click();
  const form = page.getByRole("dialog", { name: "新建预算" });
  await form.getByText("门店", { exact: true }).waitFor();
  await form.getByLabel("门店").first().click();
  await page.getByText("预算店", { exact: true }).last().click();
  await form.getByRole("heading", { name: "新建预算" }).click();
  await form.getByRole("button", { name: "新建", exact: true }).click();
  await form.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "预算店" }).click();
  await page.getByRole("heading", { name: `预算店 ${year} 年第 1 版` }).waitFor();

  await paste("租金收入 1月", "1,000\tabc\t3000");
  await page.getByText("1 处需要修改，改好后自动保存").waitFor();
  expect(await cell("租金收入 2月").getAttribute("title")).toBe("请输入数字");
  expect(await page.getByRole("button", { name: "保存", exact: true }).isEnabled()).toBe(false);
  const id = Number(new URL(page.url()).searchParams.get("versionId"));
  expect((await house.did(budgetCells, { as: finance }, { params: { id } })).cells).toEqual([]);
  await page.getByRole("button", { name: "撤销" }).click();
  expect(await cell("租金收入 1月").inputValue()).toBe("");

  await page.getByRole("button", { name: "租金收入：填写工具" }).click();
  await page.getByRole("menuitem", { name: "全年分摊" }).click();
  const spread = page.getByRole("dialog", { name: "租金收入：全年分摊" });
  await spread.getByLabel("全年合计").fill("100000");
  await spread.getByRole("button", { name: "填入" }).click();
  await spread.waitFor({ state: "hidden" });
  expect([await cell("租金收入 4月").inputValue(), await cell("租金收入 5月").inputValue()]).toEqual([
    "8,333.34",
    "8,333.33",
  ]);
  const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
  expect(await row("租金收入").first().textContent()).toContain("100,000.00");

  await cell("营业成本 1月").fill("9000");
  await expect.poll(() => row("利润").first().locator(".neg").allTextContents()).toEqual(["−666.66"]);
  await paste("营业成本 1月", Array(12).fill("500").join("\t"));
  await paste("出租率 1月", Array(12).fill("90").join("\t"));
  await page.getByRole("button", { name: "营业成本：填写工具" }).click();
  await page.getByRole("menuitem", { name: "整行上浮 %" }).click();
  const raise = page.getByRole("dialog", { name: "营业成本：整行上浮" });
  await raise.getByLabel("上浮").fill("10");
  await raise.getByRole("button", { name: "填入" }).click();
  expect(await cell("营业成本 12月").inputValue()).toBe("550.00");
  // what is worked out follows at once
  expect(await row("利润").first().textContent()).toContain("93,400.00");
  await page.getByText(/^已保存 /).waitFor();

  await page.getByRole("button", { name: "提交审批" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "提交" }).click();
  await page.getByText("仅草稿可编辑").waitFor();
  await page.getByRole("button", { name: "日志", exact: true }).click();
  const log = page.getByRole("dialog", { name: /日志$/ });
  await log.getByText("生效").first().waitFor();
  await log.getByRole("button", { name: "关闭" }).click();
  await page.goto(`${budgets}?year=${year}`);
  await page.getByText("第 1 版").first().waitFor();
  await page.getByRole("cell", { name: "93,400.00" }).first().waitFor();
  expect(errors).toEqual([]);
});

test("somebody else was quicker with a cell: what they typed is said, and one's own may go over it", async () => {
  const { list } = await house.did(listIndicators, { as: finance }, { query: { pageSize: 200 } });
  const rent = list.find((one) => one.code === "rentIncome")!.id;
  const { ids } = await house.did(
    addBudgets,
    { as: finance },
    { body: { villageIds: [villageId], year: year + 1, from: "blank", name: "明年预算" } },
  );
  await page.goto(`${budgets}/VillageBudgetTable?versionId=${ids[0]}`);
  await cell("租金收入 1月").waitFor();
  const cells = [{ indicatorId: rent, month: 1, value: 700_000, version: 0 }];
  await house.did(saveCells, { as: other }, { params: { id: ids[0]! }, body: { cells } });
  await cell("租金收入 1月").fill("8000");
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await page.getByText("该单元格已被 钱会计 修改为 7,000.00").waitFor();
  await page.getByRole("button", { name: "仍用我填的" }).click();
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await expect
    .poll(
      async () => (await house.did(budgetCells, { as: other }, { params: { id: ids[0]! } })).cells[0]?.value,
    )
    .toBe(800_000);
});

test("completion opens what an actual is made of; a store says why it is off; a phone shows the list", async () => {
  await page.goto(`${budgets}/BudgetIndicatorCompleteTable?year=${year}&month=1`);
  await page.getByRole("cell", { name: "合计（1 个门店）" }).first().waitFor();
  await settled();
  await page.getByRole("row").filter({ hasText: "租金收入" }).getByRole("button").first().click();
  const behind = page.getByRole("dialog", { name: `实际明细 ${year}-01` });
  await behind.getByText("预算店 · 租金收入").waitFor();
  await behind.getByRole("button", { name: "关闭" }).click();

  await page.goto(`${budgets}/VillageBudgetCompleteTable?year=${year}&period=m1`);
  await settled();
  await page.getByRole("button", { name: "展开 预算店" }).click();
  await page.getByRole("button", { name: "填写说明" }).first().click();
  const note = page.getByRole("dialog", { name: /说明$/ });
  await note.getByLabel("说明").fill("新店一月未开业");
  await note.getByRole("button", { name: "保存" }).click();
  await page.getByText("新店一月未开业").waitFor();
  await page.getByRole("tab", { name: "完成率矩阵" }).click();
  await page.getByRole("columnheader", { name: "出租率" }).waitFor();
  expect(errors).toEqual([]);

  const phone = await open({ as: finance, size: PHONE });
  await phone.page.goto(`${budgets}?year=${year}`);
  await phone.page.getByText("预算店").first().waitFor();
  const { list } = await house.did(listBudgets, { as: finance }, { query: { year } });
  expect(list[0]!.income).toBe(10_000_000);
  expect(phone.errors).toEqual([]);
});
