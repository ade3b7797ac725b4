import { beforeEach, expect, test } from "vitest";
import { aDesk } from "../../domains/customer/reservation/reservation.sample.ts";
import { aBill, aLine, aParty } from "../../domains/finance/bill/bill.sample.ts";
import { someAccounts, take } from "../../domains/finance/flow/flow.sample.ts";
import { APPLYING, invoiceOf, ISSUING } from "../../domains/finance/invoice/invoice.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { pool } = house.database;
const { villageId, clerk, room } = await aDesk(house, {
  village: "开票店",
  permits: [...APPLYING, ...ISSUING, "26.query", "26.get"],
});
const store = { villageId, roomId: await room("8001") };
await pool.query("insert into einvoice_village (village_id, config_id) select $1, id from einvoice_config", [
  villageId,
]);
const accounts = await someAccounts(house, store);
const today = dayInZone(new Date());
const partyId = await aParty(house, "江晓月", { villageId });
const period = { periodStart: addDays(today, -20), periodEnd: addDays(today, 9) };
const lines = [
  aLine("rent", 300_000, {
    ...period,
    slices: [{ from: period.periodStart, to: period.periodEnd, amount: 300_000 }],
  }),
];
const billId = await aBill(house, store, partyId, { dueDate: today, ...period, lines });
await take(house, store, accounts, partyId, {
  amount: 300_000,
  paidAt: new Date(Date.now() - 3_600_000).toISOString(),
  bills: [billId],
});

const { page, errors } = await open({ as: clerk });
const settled = settling(page);
beforeEach(() => pictureOnFailure(() => page));
const invoices = `${base}/accountManage/InvoiceManage`;
const newest = async () =>
  (await pool.query<{ id: number; state: string }>("select id, state from invoice order by id desc limit 1"))
    .rows[0]!;

test("a paid rent is invoiced from its bill, made by the job, shown on the bill and taken back in part", async () => {
  await page.goto(`${base}/accountManage/BillListManage?tab=all&id=${billId}`);
  const bill = page.getByRole("dialog", { name: /^ZD/ });
  await bill.getByText("3,000.00").first().waitFor();
  await settled();
  const more = bill.getByRole("button", { name: "开票", exact: true });
  if (!(await more.isVisible())) await bill.getByRole("button", { name: /更多/ }).click();
  await page.getByText("开票", { exact: true }).last().click();

  const form = page.getByRole("dialog", { name: "申请开票 江晓月" });
  await form.getByText("减按1.5%").waitFor();
  await form.getByLabel(/本次开票/).fill("3100");
  await form.getByText("本次开票不能超过可开金额").first().waitFor();
  await form.getByLabel(/本次开票/).fill("3000");
  await form.getByText("税额 42.86").waitFor();
  await settled();
  await form.getByRole("button", { name: "提交开票" }).click();
  await form.waitFor({ state: "detached" });
  await expect.poll(async () => (await newest()).state, { timeout: 20_000 }).toBe("issued");
  const { id } = await newest();
  const made = await invoiceOf(house, clerk, id);

  await page.goto(`${base}/accountManage/BillListManage?tab=all&id=${billId}`);
  await bill.getByRole("tab", { name: "发票" }).click();
  await bill.getByText(made.invoiceNo!).waitFor();

  await page.goto(`${invoices}?tab=issued&id=${id}`);
  const drawer = page.getByRole("dialog", { name: new RegExp(`^${made.invoiceNo}`) });
  await drawer.getByText("样票：由内置模拟平台生成").waitFor();
  await settled();
  await drawer.getByRole("button", { name: "红冲", exact: true }).click();
  const red = page.getByRole("dialog", { name: /^红冲/ });
  await red.getByLabel(/本次红冲/).fill("1000");
  await red.getByText("税额 14.29").waitFor();
  await red.getByText("销售折让").click();
  await settled();
  await red.getByRole("button", { name: "红冲", exact: true }).click();
  await red.waitFor({ state: "detached" });
  await expect
    .poll(async () => (await invoiceOf(house, clerk, id)).state, { timeout: 20_000 })
    .toBe("partRed");
  await page.goto(`${invoices}?bills=${billId}`);
  await form.getByText("1,000.00").first().waitFor();
  expect(errors).toEqual([]);
});

test("a fee subject is mapped, with its 19 digits, and the configuration says how it stands", async () => {
  const { page: wide, errors: wrong } = await open({ as: await house.person({ superType: "1" }) });
  const calm = settling(wide);
  await wide.goto(`${base}/system/EinvoiceConf`);
  await wide.getByText("青禾公寓管理有限公司").first().click();
  const drawer = wide.getByRole("dialog", { name: /^青禾/ });
  await drawer.getByRole("row", { name: /网费/ }).getByText("设置").click();
  const form = wide.getByRole("dialog", { name: "科目映射 · 网费" });
  await form.getByLabel("税收分类编码").fill("123");
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("请输入19位税收分类编码").waitFor();
  await form.getByLabel("税收分类编码").fill("3030100000000000000");
  await calm();
  await form.getByRole("button", { name: "保存" }).click();
  await form.waitFor({ state: "detached" });
  await drawer.getByRole("row", { name: /网费/ }).getByText("3030100000000000000").waitFor();
  expect(wrong).toEqual([]);
});

test("on a phone lines and invoices are cards", async () => {
  const { page: phone, errors: wrong } = await open({ as: clerk, size: PHONE, theme: "dark" });
  await phone.goto(invoices);
  await phone.getByText("江晓月").first().waitFor();
  await phone.goto(`${invoices}?tab=all`);
  await phone.getByText(/^FP/).first().waitFor();
  expect(wrong).toEqual([]);
});
