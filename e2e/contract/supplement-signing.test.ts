import { expect, test } from "vitest";
import { amendActs } from "../../domains/contract/amendment/amendment.contract.ts";
import { aForm, aRenter, aRoom, signed } from "../../domains/contract/contract/contract.sample.ts";
import {
  aSigningShop,
  codeSent,
  identified,
  LAST4,
  phoneOf,
} from "../../domains/contract/esign/esign.sample.ts";
import { waitingSeals } from "../../domains/contract/esign/esign.contract.ts";
import { addMonths } from "../../platform/kernel/day.ts";
import { keepPicture, PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { pool } = house.database;
const shop = await aSigningShop(house, { village: "补充协议店", permits: ["#903"] });
await pool.query("insert into contract_config (enterprise_id, village_id, read_seconds) values ($1, $2, 1)", [
  house.enterpriseId,
  shop.villageId,
]);

test("an amendment is sent, signed on a phone and sealed: the rent of the contract has changed", async () => {
  const { rows: clock } = await pool.query<{ today: string }>("select current_date::text today");
  const today = clock[0]!.today;
  const roomId = await aRoom(house, shop.building, "B101");
  const partyId = await aRenter(house, shop.villageId);
  await identified(house, partyId);
  const form = aForm({ ...shop, roomId, partyId }, { start: today });
  const { id, contractNo } = await signed(house, shop.clerk, form, today);
  const effectiveOn = addMonths(today, 3);
  const draft = {
    contractId: id,
    effectiveOn,
    reason: "协商降租",
    rises: [{ fromDate: effectiveOn, rent: 330_000 }],
  };
  const { id: actId } = await house.did(amendActs.ask, { as: shop.clerk }, { body: draft as never });

  const desk = await open({ as: shop.clerk });
  const settled = settling(desk.page);
  await desk.page.goto(`${base}/contract/RenterContractPage?id=${id}&part=changes&change=${actId}`);
  const change = desk.page.getByRole("dialog", { name: /^BC/ });
  await change.getByRole("button", { name: "提交签署" }).click();
  const submit = desk.page.getByRole("dialog", { name: /^提交签署 BC/ });
  await settled();
  await submit.getByRole("button", { name: "提交", exact: true }).click();
  await submit.waitFor({ state: "hidden" });
  await change.getByRole("button", { name: "发起电子签署" }).click();
  const send = desk.page.getByRole("dialog", { name: /^发起电子签署 BC/ });
  await send.getByText("由门店设置的签署服务签署").waitFor();
  await settled();
  await send.getByRole("button", { name: "发起电子签署" }).click();
  await desk.page.getByText("签署链接已发送至").waitFor();
  await desk.page
    .getByRole("dialog", { name: /^电子签署 QS/ })
    .getByRole("button", { name: "关闭" })
    .click();
  await change.getByRole("status").getByText("签署中").waitFor();

  const { rows } = await pool.query<{ link: string }>(
    "select params->>'link' link from outbox where recipient = $1 and params ? 'link' order by id desc limit 1",
    [await phoneOf(house, partyId)],
  );
  const { page, errors } = await open({ size: PHONE });
  await page.goto(base.replace("/sams", new URL(rows[0]!.link).pathname));
  await page.getByRole("heading", { name: /邀请您签署《租赁合同补充协议》$/ }).waitFor();
  await page.getByLabel("证件号后四位").fill(LAST4);
  await page.getByRole("button", { name: "打开协议" }).click();
  await page.getByRole("article", { name: "协议正文" }).getByText("3,300.00").first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  await keepPicture(page, "supplement-phone");
  const canvas = page.getByRole("img", { name: /手写签名区/ });
  await canvas.scrollIntoViewIfNeeded();
  const box = (await canvas.boundingBox())!;
  await page.mouse.move(box.x + 40, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 90, { steps: 5 });
  await page.mouse.up();
  await page.getByLabel("我已阅读并同意本协议及电子签署约定").check();
  await page.getByRole("button", { name: "获取验证码" }).click();
  await page.getByRole("button", { name: /秒后可重发/ }).waitFor();
  await page.getByLabel("短信验证码").fill(await codeSent(house, await phoneOf(house, partyId)));
  const sign = page.getByRole("button", { name: "同意签署" });
  await expect.poll(() => sign.getAttribute("aria-disabled"), { timeout: 15_000 }).toBe("false");
  await sign.click();
  await page.getByRole("heading", { name: "签署成功，待企业盖章" }).waitFor();

  const sealing = await open({ as: shop.keeper });
  await sealing.page.goto(`${base}/system/ContractManagement?tab=waiting`);
  const { list } = await house.did(waitingSeals, { as: shop.keeper }, { query: {} });
  expect(list).toMatchObject([{ contractId: id, docKind: "supplement" }]);
  const row = sealing.page.getByRole("row").filter({ hasText: contractNo });
  await row.getByText("补充协议", { exact: true }).waitFor();
  await row.getByRole("button", { name: "盖章" }).click();
  const asked = sealing.page.getByRole("dialog", { name: "盖章" }).getByRole("button", { name: "确定" });
  await asked.click();
  await page.getByRole("heading", { name: "签署已完成" }).waitFor({ timeout: 10_000 });
  await page.getByRole("link", { name: "下载协议" }).waitFor();
  await change.getByText("已完成", { exact: true }).first().waitFor({ timeout: 10_000 });
  const { rows: after } = await pool.query(
    "select monthly_rent::int rent, terms_version version from contract where id = $1",
    [id],
  );
  expect(after).toEqual([{ rent: 330_000, version: 2 }]);
  expect([...errors, ...desk.errors, ...sealing.errors]).toEqual([]);
});
