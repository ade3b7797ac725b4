import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { aShop } from "../../domains/contract/contract/contract.sample.ts";
import { codeSent } from "../../domains/contract/esign/esign.sample.ts";
import { DESK } from "../../domains/contract/lease-application/application.sample.ts";
import { aPdf } from "../../domains/system/file/file.sample.ts";
import { addDays, addMonths, dayInZone } from "../../platform/kernel/day.ts";
import { choose, demoPerson, PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 120 });
const { pool } = house.database;
const SHOTS = process.env["SHOTS"];

test("somebody applies on a phone; approved, it becomes a signed contract in which nothing is typed twice", async () => {
  const village = "云杉店";
  const shop = await aShop(house, {
    permits: [...DESK, "#601", "15.get", "16.query"],
    listPrice: 320_000,
    village,
  });
  await pool.query(
    "insert into product (enterprise_id, code, name, kind, village_ids) values ($1, 'YS-1', '朝南单间', 'whole', $2)",
    [house.enterpriseId, [shop.villageId]],
  );
  const start = addDays(dayInZone(new Date()), 3);
  const stranger = await open({ size: PHONE });
  const phone = stranger.page;
  await phone.goto(`${base}/service/AppH5Page?apply=${shop.villageId}`);
  await phone.getByRole("heading", { name: `${village}租赁申请` }).waitFor();
  await phone.getByLabel("房型").selectOption({ label: "朝南单间 · 价格面议" });
  for (const [label, text] of Object.entries({
    姓名: "林晓",
    起租日: start,
    "租期（月）": "6",
    人数: "1",
    备注: "希望高楼层",
    手机: "13612340009",
  }))
    await phone.getByLabel(label, { exact: true }).fill(text);
  await phone.getByRole("button", { name: "提交申请" }).click();
  await phone.getByText("请输入图形验证码").waitFor();
  const answer = createHash("sha256").update("AB34").digest();
  await pool.query("update captcha set answer_hash = $1", [answer]);
  await phone.getByLabel("图形验证码", { exact: true }).fill("AB34");
  await phone.getByRole("button", { name: "获取验证码" }).click();
  await phone.getByRole("button", { name: /秒后重发/ }).waitFor();
  await expect.poll(() => codeSent(house, "13612340009").catch(() => "")).toMatch(/^\d{6}$/);
  await phone.getByLabel("短信验证码", { exact: true }).fill(await codeSent(house, "13612340009"));
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  await phone.getByRole("button", { name: "提交申请" }).click();
  await phone.getByRole("heading", { name: "申请已提交" }).waitFor();
  const applyNo = /ZL\d+-?\d*/.exec(await phone.getByText(/^申请单号/).innerText())![0];
  expect(stranger.errors).toEqual([]);

  const { page, errors } = await open({ as: shop.clerk, size: { width: 1440, height: 900 } });
  pictureOnFailure(() => page);
  const press = (name: string, within: Pick<typeof page, "getByRole"> = page) =>
    within.getByRole("button", { name, exact: true }).first().click();
  await page.goto(`${base}/contract/LeaseApplication?keyword=${applyNo}`);
  const row = page.getByRole("row", { name: new RegExp(applyNo) });
  await row.getByText("136****0009").waitFor();
  await row.getByText("朝南单间").waitFor();
  await row.getByText(applyNo).click();
  const drawer = page.getByRole("dialog", { name: `林晓 ${applyNo}` });
  // what the desk sees of the certificate is written down once, with the request
  await press("编辑", drawer);
  const edit = page.getByRole("dialog", { name: "编辑 林晓" });
  await choose(
    () => edit.getByLabel("证件类型").click(),
    page.locator(".ant-select-dropdown:visible").getByTitle("身份证", { exact: true }),
  );
  await edit.getByLabel("证件号").fill("330106199503074521");
  await press("保存", edit);
  await edit.waitFor({ state: "hidden" });
  // what was done is seen before the next is
  await drawer.getByText(/^3301\*+4521$/).waitFor();
  await press("审核通过", drawer);
  const approve = page.getByRole("dialog", { name: /^通过/ });
  await press("通过", approve);
  await approve.waitFor({ state: "hidden" });
  await drawer.getByText("已通过", { exact: true }).waitFor();
  await press("换房推荐", drawer);
  const offered = page.getByRole("dialog", { name: `换房推荐 ${applyNo}` });
  await offered.getByRole("row", { name: /1203.*3,200\.00/ }).waitFor();
  await press("选用", offered);
  await offered.waitFor({ state: "hidden" });
  await drawer.getByText(/1203/).first().waitFor();
  await press("转合同", drawer);

  const form = page.getByRole("region", { name: "新签租客合同" });
  await form.waitFor();
  expect(page.url()).toMatch(/RenterContractPage\?draft=\d+/);
  await form.getByText(village, { exact: true }).first().waitFor();
  await expect.poll(() => form.getByLabel("起租日", { exact: true }).inputValue()).toBe(start);
  expect(await form.getByLabel("结束日期", { exact: true }).inputValue()).toBe(
    addDays(addMonths(start, 6), -1),
  );
  await form.getByText(/1203/).first().waitFor();
  expect(await form.locator(".lines tbody input").first().inputValue()).toBe("3,200.00");
  await press("下一步：客户");
  for (const known of [/林晓/, /136\*{4}0009/, /330\d?\*+4521/])
    await form.getByText(known).first().waitFor();
  expect(await form.getByLabel("备注", { exact: true }).inputValue()).toBe(`租赁申请 ${applyNo}：希望高楼层`);
  for (const step of ["条款", "费用", "优惠", "账单预览", "签署"]) await press(`下一步：${step}`);
  await press("提交签约");
  await press("已核对，提交签约");
  const contract = page.getByRole("dialog", { name: /^HT/ });
  await press("确认签署", contract);
  const sign = page.getByRole("dialog", { name: /确认线下签署/ });
  await sign
    .locator("input[type=file]")
    .setInputFiles({ name: "合同.pdf", mimeType: "application/pdf", buffer: aPdf() });
  await sign.getByRole("button", { name: "移除 合同.pdf" }).waitFor();
  await press("确认签署", sign);
  await page.getByText(/已签署，生成账单/).waitFor();
  await page.goto(`${base}/contract/LeaseApplication?state=converted&keyword=${applyNo}`);
  await row.getByText("已转合同").waitFor();
  expect(errors).toEqual([]);
});

test("an original goes onto its shelf", async () => {
  const as = await demoPerson(house, "qinghe01");
  const { page, errors } = await open({ as });
  const settled = settling(page);
  const shot = async (name: string) => {
    if (!SHOTS) return;
    await settled();
    await page.screenshot({ path: `${SHOTS}/${name}.png` });
  };
  await page.goto(`${base}/contract/ArchiveManagePage`);
  await page.getByRole("row").nth(1).waitFor();
  await shot("archive-pending");
  await page.getByRole("row").nth(1).getByRole("button", { name: "归档", exact: true }).click();
  const store = page.getByRole("dialog", { name: /^归档/ });
  await store.getByLabel("仓库").fill("A");
  await store.getByLabel("柜").fill("03");
  await store.getByLabel("层").fill("2");
  await shot("archive-store");
  await store.getByRole("button", { name: "归档", exact: true }).click();
  await store.waitFor({ state: "hidden" });
  await page.getByRole("tab", { name: /在库/ }).click();
  await page.getByText("A-03-2").first().waitFor();
  await shot("archive-in");
  expect(errors).toEqual([]);
});
