import { expect, test } from "vitest";
import { aDesk } from "../../domains/customer/reservation/reservation.sample.ts";
import { aCreditCode } from "../../domains/customer/firm/firm.sample.ts";
import { aLead } from "../../domains/customer/lead/lead.sample.ts";
import { addViewing } from "../../domains/customer/viewing/viewing.contract.ts";
import { LEASING } from "../../domains/contract/contract/contract.sample.ts";
import { aPng, sendFile } from "../../domains/system/file/file.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { faultsOf } from "../axe.sample.ts";
import { choose, DESK, PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const FIRMS = ["11", "106", "113"].flatMap((code) =>
  ["query", "get", "add", "edit"].map((a) => `${code}.${a}`),
);
const desk = await aDesk(house, {
  village: "企业店",
  permits: [...LEASING, ...FIRMS, "3.query", "3.get", "6.query", "6.get", "26.query", "26.get"],
});
const { pool } = house.database;
const booking = `${base}/configuration/BookingManagement`;
const today = dayInZone(new Date());
const [shop, other] = [await desk.room("1301"), await desk.room("1302")];
await pool.query("update room set area = 86.5 where id = $1", [shop]);
await pool.query(
  "update room_price set unit = 'sqmDay', list_price = 450, lowest_price = 400 where room_id = $1",
  [shop],
);

test("a company is registered while a room is reserved for it, by the square metre; it becomes its contract", async () => {
  const { page, errors } = await open({ as: desk.clerk, size: DESK });
  const settled = settling(page);
  const item = (text: string | RegExp) =>
    page.locator(".ant-select-dropdown:visible .ant-select-item-option").filter({ hasText: text }).first();
  const { rows } = await pool.query("select name from village where id = $1", [desk.villageId]);
  const store: string = rows[0].name;
  await page.goto(`${booking}?tab=reservation`);
  await page.getByRole("button", { name: "新增预订" }).first().click();
  const form = page.getByRole("dialog", { name: "新增预订" });
  await choose(() => form.getByLabel("门店", { exact: true }).click(), item(store));
  await form.getByRole("tab", { name: "企业" }).click();
  await form.getByRole("button", { name: "新建" }).click();

  const firm = page.getByRole("dialog", { name: "新增企业" });
  await firm.getByLabel("信用代码").fill(aCreditCode());
  await firm.getByLabel("企业名称").fill("听潮科技有限公司");
  await choose(() => firm.getByLabel("登记门店").click(), item(store));
  await choose(() => firm.getByLabel("客户经理").click(), item("赵思源"));
  await firm.getByLabel("姓名").fill("钱经理");
  await firm.getByLabel("电话").fill("13712345678");
  await settled();
  await firm.getByRole("button", { name: "保存" }).click();
  await firm.waitFor({ state: "detached" });
  await form.getByText("137****5678").waitFor();

  await choose(() => form.getByLabel("房间", { exact: true }).click(), item("1301"));
  await expect.poll(() => form.getByLabel("租金", { exact: true }).inputValue()).toBe("4.50");
  await expect
    .poll(() => form.getByRole("radio", { name: "元/㎡·天" }).getAttribute("aria-checked"))
    .toBe("true");
  await form.getByLabel("金额").fill("1000");
  await settled();
  expect(await faultsOf(page, { within: "[role=dialog]" })).toEqual([]);
  await form.getByRole("button", { name: "预订", exact: true }).click();

  const record = page.getByRole("dialog", { name: /^听潮科技有限公司 YD/ });
  await record.getByText("租金（元/㎡·天）").waitFor();
  await record.getByRole("button", { name: "收定金" }).click();
  const pay = page.getByRole("dialog", { name: "收定金 听潮科技有限公司" });
  await choose(() => pay.getByLabel("渠道", { exact: true }).click(), item("现金"));
  await pay.getByText(/现金箱/).waitFor();
  await pay.getByRole("button", { name: "收款 1,000.00" }).click();
  await record.getByText("已预订", { exact: true }).first().waitFor();
  await settled();

  const held = await pool.query(
    `select r.id::int, p.kind, r.state, r.unit, r.rent::int from reservation r join party p on p.id = r.party_id where r.room_id = $1`,
    [shop],
  );
  const [{ id }] = held.rows;
  expect(held.rows).toEqual([{ id, kind: "company", state: "held", unit: "sqmDay", rent: 450 }]);
  await record.getByRole("link", { name: "听潮科技有限公司" }).click();
  await page.waitForURL(/CompanyManagement/);
  await page.goto(`${booking}?tab=reservation&id=${id}&act=convert`);
  const drafting = page.getByRole("region", { name: "新签企业合同" });
  await drafting.getByText("1301").first().waitFor();
  await settled();
  expect(errors).toEqual([]);
});

test("each room that was shown gets its result, which stands on the lead's timeline and in the room's drawer", async () => {
  const leadId = await aLead(house, desk.clerk, desk.villageId, { name: "温言" });
  const { id } = await house.did(
    addViewing,
    { as: desk.clerk },
    {
      body: {
        leadId,
        villageId: desk.villageId,
        roomIds: [desk.roomId, other],
        at: `${addDays(today, 1)}T10:00:00+08:00`,
        minutes: "60",
        assigneeId: desk.clerk.operatorId,
      },
    },
  );
  // the day of the appointment has come and gone
  await pool.query(
    "update viewing set at = at - interval '3 days', ends_at = ends_at - interval '3 days' where id = $1",
    [id],
  );
  const { page, errors } = await open({ as: desk.clerk, size: DESK });
  const settled = settling(page);
  await page.goto(`${booking}?tab=viewing&view=list&id=${id}`);
  const record = page.getByRole("dialog", { name: /^温言 KF/ });
  await record.getByRole("button", { name: "看房完成" }).click();
  const form = page.getByRole("dialog", { name: "看房完成 温言" });
  const first = form.getByRole("listitem").filter({ hasText: "1203" });
  await first.getByRole("radio", { name: "满意", exact: true }).click();
  await first.getByRole("textbox").fill("采光好");
  const second = form.getByRole("listitem").filter({ hasText: "1302" });
  await second.getByRole("textbox").fill("没有开门");
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("填写了反馈的房间请选择结果").waitFor();
  await second.getByRole("textbox").fill("");
  await settled();
  expect(await faultsOf(page, { within: ".dialog" })).toEqual([]);
  await form.getByRole("button", { name: "保存" }).click();
  await form.waitFor({ state: "detached" });
  await record.getByText("采光好").first().waitFor();

  await page.goto(`${booking}?tab=mine&id=${leadId}`);
  await page
    .getByRole("dialog", { name: /^温言 KY/ })
    .getByText(/看房完成：满意，.*1203 满意（采光好）/)
    .waitFor();
  await page.goto(`${base}/configuration/apartment?room=${desk.roomId}&part=viewings`);
  await page.getByRole("row").filter({ hasText: "温言" }).getByText("采光好").waitFor();
  // the form was refused once, and the browser writes that down
  expect(errors.filter((e) => !e.includes("400"))).toEqual([]);
});

test("a matching room goes out as a picture, without its door", async () => {
  const file = await sendFile(house, desk.clerk, {
    name: "客厅.png",
    bytes: aPng({ width: 40, height: 30 }),
  });
  const fileId = file.body.data.id;
  await pool.query(
    "update stored_file set village_id = $2, target_kind = 'village', target_id = $2 where id = $1",
    [fileId, desk.villageId],
  );
  await pool.query("insert into room_picture (room_id, file_id, sort) values ($1, $2, 0)", [other, fileId]);
  const leadId = await aLead(house, desk.clerk, desk.villageId, { name: "顾言" });
  const { page, errors } = await open({ as: desk.clerk, size: DESK });
  await page.goto(`${booking}?tab=mine&id=${leadId}&part=matches`);
  const row = page.getByRole("row").filter({ hasText: "1302" });
  await row.getByRole("button", { name: "分享" }).click();
  const dialog = page.getByRole("dialog", { name: "分享房源" });
  const picture = dialog.getByRole("img");
  const alt = (await picture.getAttribute("alt"))!;
  expect(alt).toContain("3,000.00 元/月");
  expect(alt).toContain("赵思源");
  expect(alt).not.toContain("1302");
  const size = () => picture.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]);
  await expect.poll(size).toEqual([750, 1120]);
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "保存图片" }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/\.png$/);
  expect(errors).toEqual([]);
});

test("on a phone in the dark the picker and the results fit", async () => {
  const { page, errors } = await open({ as: desk.clerk, size: PHONE, theme: "dark" });
  const settled = settling(page);
  await page.goto(`${booking}?tab=reservation`);
  await page.getByRole("button", { name: "新增预订" }).first().click();
  const form = page.getByRole("dialog", { name: "新增预订" });
  await form.getByRole("tab", { name: "商户" }).click();
  await settled();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await faultsOf(page, { within: "[role=dialog]" })).toEqual([]);
  expect(errors).toEqual([]);
});
