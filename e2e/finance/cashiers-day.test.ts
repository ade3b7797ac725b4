import type { Locator } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { aDesk } from "../../domains/customer/reservation/reservation.sample.ts";
import { aBill, aLine, aParty } from "../../domains/finance/bill/bill.sample.ts";
import { readBills } from "../../domains/finance/bill/bills.queries.ts";
import { take } from "../../domains/finance/flow/flow.sample.ts";
import { aTill } from "../../domains/finance/pay-order/pay-order.sample.ts";
import { aPng } from "../../domains/system/file/file.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { keepPicture, moveTo, PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

/**
 * A cashier's day: the box is counted and taken over, money comes in cash, in part and by a code, a mistake is reversed,
 * yesterday's cash is handed over and arrives short, and the box is counted again for the next cashier.
 */
const { house, base, open } = await story({ rooms: 40 });
const desk = await aDesk(house, {
  village: "收银店",
  permits: [
    ...["query", "get", "add", "edit", "delete", "export"].map((act) => `112.${act}`),
    ...["#11201", "#11202", "102.query", "102.get", "102.add", "#10202", "23.query", "23.get"],
    ...["26.query", "26.get", "26.add"],
  ],
});
const { villageId, clerk } = desk;
await aTill(house, villageId);
const store = { villageId, roomId: await desk.room("7101") };
const today = dayInZone(new Date());
const day = addDays(today, -1);
const party = (name: string) => aParty(house, name, { villageId });
await take(house, store, desk.accounts, await party("赵六"), {
  amount: 150_000,
  channel: "cash",
  paidAt: `${day}T08:00:00+08:00`,
});
const rentOf = (partyId: number, amount: number, title = "租金") =>
  aBill(house, store, partyId, { title, dueDate: today, lines: [aLine("rent", amount)] });
const wang = await party("王五");
const zhang = await rentOf(await party("张三"), 300_000);
const li = await rentOf(await party("李四"), 280_000);
const coded = [await rentOf(wang, 300_000, "租金甲"), await rentOf(wang, 300_000, "租金乙")];
const bill = async (id: number) => (await readBills({ tx: house.database.db }, [id]))[0]!;
const BILLS = "/accountManage/BillListManage?tab=all";
const SHIFT = `/accountManage/addBillFlow?tab=shift&villageId=${villageId}`;

const { page, errors } = await open({ as: clerk });
const settled = settling(page);
beforeEach(() => pictureOnFailure(() => page));
const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const box = page.locator(".row.between").filter({ hasText: "账面现金" });
/** As a person does who writes over what stands there. */
async function type(input: Locator, text: string): Promise<void> {
  await input.click();
  await input.press("ControlOrMeta+a");
  await input.pressSequentially(text);
}
/** 收款 on the bill in the list: the counter knows who pays and what. */
async function payFor(id: number) {
  await moveTo(page, BILLS);
  const row = page.getByRole("row", { name: (await bill(id)).billNo });
  await row.getByRole("button", { name: "收款", exact: true }).click();
  await page.locator(".counter__who").getByRole("link", { name: "查看档案" }).waitFor();
}
const sum = page.locator(".till__sum");

test("the box is taken over as counted; cash is taken in full, and a part of the next bill", async () => {
  await page.goto(base + SHIFT);
  await box.getByText("账面现金 1,500.00 元").waitFor();
  await box.getByRole("button", { name: "开班" }).click();
  const opening = dialog(/^开班/);
  await opening.getByLabel("实点现金").fill("1500");
  await opening.getByText("与账面一致").waitFor();
  await opening.getByRole("button", { name: "开班" }).click();
  await opening.waitFor({ state: "hidden" });

  await payFor(zhang);
  await expect.poll(() => sum.innerText()).toBe("3,000.00");
  await page.getByRole("radio", { name: "现金" }).click();
  await page.getByRole("button", { name: /^确认收款/ }).click();
  await page.getByRole("heading", { name: "已收款 3,000.00 元" }).waitFor();
  await page.getByText("经办人：赵思源").waitFor();

  // the next bill's 收款 is about the next bill, and he has only a part with him
  await payFor(li);
  await expect.poll(() => page.getByRole("heading", { name: /^已收款/ }).count()).toBe(0);
  await expect.poll(() => sum.innerText()).toBe("2,800.00");
  await type(page.getByLabel("收款金额"), "1500");
  await expect.poll(() => sum.innerText()).toBe("1,500.00");
  await page.getByRole("radio", { name: "现金" }).click();
  await page.locator(".till__after").getByText("1,300.00").waitFor();
  await page.getByRole("button", { name: /^确认收款/ }).click();
  await page.getByRole("heading", { name: "已收款 1,500.00 元" }).waitFor();
  expect((await bill(li)).outstanding).toBe(130_000);
  expect(errors).toEqual([]);
});

test("a code is shown for two bills, the payer pays on a phone, and both are paid without a reload", async () => {
  await moveTo(page, BILLS);
  const rows = await Promise.all(
    coded.map(async (id) => page.getByRole("row", { name: (await bill(id)).billNo })),
  );
  for (const row of rows) await row.getByRole("checkbox").check();
  await page.getByRole("button", { name: "出示收款码" }).click();
  const code = dialog("收款码 王五");
  await code.locator(".code__box svg").waitFor();
  await code.getByText("¥ 6,000.00").waitFor();
  await keepPicture(page, "pay-code");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await code.getByRole("button", { name: "复制付款链接" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const payer = await open({ size: PHONE });
  await payer.page.goto(link);
  await payer.page.getByRole("button", { name: "确认付款 ¥6,000.00" }).click();
  await payer.page.getByRole("heading", { name: "付款成功" }).waitFor();
  await code.getByText("已收款", { exact: true }).waitFor({ timeout: 3_000 });
  await code.getByRole("button", { name: "完成" }).click();
  for (const row of rows) await row.getByText("已付", { exact: true }).waitFor();
  expect([...errors, ...payer.errors]).toEqual([]);
});

test("what was typed as cash and paid by card is reversed, and taken again at the terminal", async () => {
  await moveTo(page, "/accountManage/AccountFlowPatch");
  const row = page.getByRole("row").filter({ hasText: "张三" });
  await row.getByText(/^LS/).click();
  const flow = dialog(/^LS/);
  await flow.getByText("3,000.00").first().waitFor();
  await settled();
  await flow.getByRole("button", { name: "冲销", exact: true }).click();
  const why = dialog(/^冲销流水/);
  await why.getByText("收款 3,000.00 按今天冲回").waitFor();
  await why.getByRole("textbox").fill("实际刷卡，误记现金");
  await why.getByRole("button", { name: "冲销", exact: true }).click();
  await flow.getByText("已冲销").first().waitFor();
  expect((await bill(zhang)).outstanding).toBe(300_000);

  await payFor(zhang);
  await page.getByRole("radio", { name: "POS" }).click();
  await page.getByLabel("渠道流水号").fill("POS20260001");
  await expect.poll(() => sum.innerText()).toBe("3,000.00");
  await page.getByRole("button", { name: /^确认收款/ }).click();
  await page.getByRole("heading", { name: "已收款 3,000.00 元" }).waitFor();
  expect(errors).toEqual([]);
});

test("yesterday's cash is handed over with its slip; what arrives is short, is paid back and waits again", async () => {
  const drawer = page.locator(".drawer:visible");
  await moveTo(page, `/accountManage/SubmissionManage?tab=pending`);
  const yesterday = page.getByRole("row").filter({ hasText: day });
  await yesterday.getByRole("button", { name: "缴款", exact: true }).click();
  const form = dialog("新建缴款");
  await form.getByText("应缴 1,500.00 元").waitFor();
  await type(form.getByLabel("实缴"), "1400");
  await form.getByText("留存 100.00 元").waitFor();
  await type(form.getByLabel("实缴"), "1500");
  await form
    .locator("input[type=file]")
    .setInputFiles({ name: "凭条.png", mimeType: "image/png", buffer: aPng() });
  // a file that is still on its way has no button
  await form.getByRole("button", { name: "移除 凭条.png" }).waitFor();
  await keepPicture(page, "hand-over-cash");
  await form.getByRole("button", { name: "缴款", exact: true }).click();
  await form.waitFor({ state: "hidden" });

  await page.getByRole("tab", { name: /^待到账/ }).click();
  await page.locator(".sheet:visible tbody tr.ant-table-row .linkish").first().click();
  await drawer.getByText("1,500.00").first().waitFor();
  await drawer.getByRole("button", { name: "确认到账" }).click();
  const receive = dialog(/^确认到账/);
  await type(receive.getByLabel("到账金额"), "1480");
  await receive.getByText("短款 20.00 元").waitFor();
  await receive.getByRole("button", { name: "确认到账" }).click();
  await receive.waitFor({ state: "hidden" });
  await drawer.getByText("−20.00").first().waitFor();
  await drawer.getByRole("tab", { name: /凭证/ }).click();
  await drawer.getByText("其他应收-短款").first().waitFor();
  await drawer.getByRole("button", { name: "短款处理" }).click();
  const settle = dialog(/^短款处理/);
  await settle.getByLabel("说明").fill("收银员补足");
  await settle.getByRole("button", { name: "处理" }).click();
  await settle.waitFor({ state: "hidden" });
  await drawer.getByText(/补缴 20\.00 元：收银员补足/).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: /^未缴款/ }).click();
  await page
    .getByRole("row", { name: /收银店.*20\.00/ })
    .first()
    .waitFor();
  expect(errors).toEqual([]);
});

test("the box is counted and handed over: the sheet says what came by each channel, the accounts where it is", async () => {
  await moveTo(page, SHIFT);
  // 1,500.00 there, 4,500.00 in, 3,000.00 taken back, 1,500.00 handed over, 20.00 paid back
  await box.getByText("账面现金 1,520.00 元").waitFor();
  await box.getByRole("button", { name: "交班" }).click();
  const closing = dialog(/^交班/);
  await closing.getByLabel("实点现金").fill("1519");
  await closing.getByText("比账面少 1.00").waitFor();
  await closing.getByLabel("差额说明").fill("找零误差");
  await closing.getByRole("button", { name: "交班" }).click();
  await closing.waitFor({ state: "hidden" });
  const sheet = page.getByRole("article", { name: "交接单" });
  await sheet.getByText("交班实点，短 1.00").waitFor();
  await sheet.getByText("说明：找零误差").waitFor();
  await keepPicture(page, "shift-sheet");
  const lines = await sheet
    .getByRole("row")
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent?.trim()).join(" ")),
    );
  expect(lines).toEqual(
    expect.arrayContaining([
      "开班账面 1,500.00",
      "收款 4,500.00",
      "流水冲销 −3,000.00",
      "缴款 −1,500.00",
      "短款处理 20.00",
      "交班账面 1,520.00",
      "交班实点，短 1.00 1,519.00",
    ]),
  );
  await page.keyboard.press("Escape");

  await moveTo(page, `/accountManage/accountSummary?villageIds=${villageId}&from=${day}`);
  await page.getByRole("row", { name: /公司账户（本店份额）/ }).waitFor();
  await page.getByRole("row", { name: /现金箱.*1,520\.00/ }).waitFor();
  expect(errors).toEqual([]);
});

test("what a colleague takes meanwhile leaves the counter before it is taken twice", async () => {
  const payer = await party("周八");
  const bills = [await rentOf(payer, 100_000, "租金甲"), await rentOf(payer, 200_000, "租金乙")];
  await page.goto(`${base}/accountManage/addBillFlow?billIds=${bills.join(",")}`);
  await expect.poll(() => sum.innerText()).toBe("3,000.00");
  const taken = { amount: 200_000, channel: "wechat", paidAt: new Date().toISOString(), bills: [bills[1]!] };
  await take(house, store, desk.accounts, payer, taken as Parameters<typeof take>[4]);
  await page.getByRole("radio", { name: "现金" }).click();
  await page.getByText("账单试算已变化，请核对后重新确认").waitFor();
  await expect.poll(() => sum.innerText()).toBe("1,000.00");
  expect(await page.locator(".owed").getByText("租金乙").count()).toBe(0);
  expect(errors).toEqual([]);
});

test("who presses twice is asked once, and takes the money once", async () => {
  const payer = await party("吴九");
  await page.goto(`${base}/accountManage/addBillFlow?billIds=${await rentOf(payer, 100_000)}`);
  await expect.poll(() => sum.innerText()).toBe("1,000.00");
  await page.getByRole("radio", { name: "现金" }).click();
  await type(page.getByLabel("收款金额"), "1500");
  await expect.poll(() => sum.innerText()).toBe("1,500.00");
  await page.locator(".till__after").getByText("500.00").waitFor();
  // the second press falls beside the question, which stays
  await page.getByRole("button", { name: /^确认收款/ }).dblclick();
  await dialog("转入预存款").getByText("500.00 元").waitFor();
  await dialog("转入预存款").getByRole("button", { name: "确认转入" }).dblclick();
  await page.getByRole("heading", { name: "已收款 1,500.00 元" }).waitFor();
  const { rows } = await house.database.pool.query<{ amount: number }>(
    "select amount::int from flow where party_id = $1",
    [payer],
  );
  expect(rows).toEqual([{ amount: 150_000 }]);
  expect(errors).toEqual([]);
});

test("what is typed beside 150 charges costs the browser much what it costs beside one", async () => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  const worked = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "ScriptDuration")!.value;
  };
  const typing = async (bills: readonly number[]) => {
    await page.goto(`${base}/accountManage/addBillFlow?billIds=${bills.join(",")}`);
    await page.getByText("按入账规则排序").waitFor();
    const remark = page.getByLabel("备注");
    await remark.click();
    const before = await worked();
    await remark.pressSequentially("a".repeat(20));
    return (await worked()) - before;
  };
  const [one, many] = [await party("郑十"), await party("王十一")];
  const few = [await rentOf(one, 100_000)];
  const all: number[] = [];
  for (let i = 0; i < 150; i++) all.push(await rentOf(many, 100_000, `租金${i}`));
  const least = await typing(few);
  // drawn at every key the rows would make it twenty times as much
  expect((await typing(all)) / least).toBeLessThan(6);
  expect(errors).toEqual([]);
});

test("on a phone the takings are cards with their act", async () => {
  const phone = await open({ as: clerk, size: PHONE });
  await phone.page.goto(`${base}/accountManage/SubmissionManage?tab=all`);
  await phone.page.getByText("收银店").first().waitFor();
  await moveTo(phone.page, `/accountManage/accountSummary?villageIds=${villageId}`);
  await phone.page.getByText("缴款在途").waitFor();
  expect(phone.errors).toEqual([]);
});
