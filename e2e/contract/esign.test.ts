import { readFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  aSigningShop,
  codeSent,
  identified,
  LAST4,
  partySigns,
  phoneOf,
  started,
  toSign,
} from "../../domains/contract/esign/esign.sample.ts";
import { aForm, aRenter, aRoom } from "../../domains/contract/contract/contract.sample.ts";
import { createContract } from "../../domains/contract/drafting/draft.contract.ts";
import { aLessor, aSeal } from "../../domains/contract/seal/seal.sample.ts";
import { setSeal, waitingSeals } from "../../domains/contract/esign/esign.contract.ts";
import { creditCheckCharacter } from "../../platform/kernel/texts/certificate.ts";
import { aPng } from "../../domains/system/file/file.sample.ts";
import { faultsInBoth } from "../axe.sample.ts";
import { DESK, moveTo, PHONE, pictureOnFailure, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const shop = await aSigningShop(house, { village: "电子签店" });
await house.database.pool.query(
  "insert into contract_config (enterprise_id, village_id, read_seconds) values ($1, $2, 2)",
  [house.enterpriseId, shop.villageId],
);

/** What stands beyond the edge of a narrow phone, a tablet or a wide screen; and what axe finds in light and dark. */
async function faultsAtAnyWidth(page: Page): Promise<string[]> {
  const before = page.viewportSize()!;
  const beyond: string[] = [];
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: before.height });
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    if (needed > width) beyond.push(`${needed} wide on ${width}`);
  }
  await page.setViewportSize(before);
  return [...beyond, ...(await faultsInBoth(page))];
}

test("a tenant signs on a phone; the clerk sees it within three seconds, and so does the tenant the seal", async () => {
  const { id, contractNo, partyId } = await toSign(house, shop, { start: "2027-03-01" });
  const desk = await open({ as: shop.clerk });
  await desk.page.goto(`${base}/contract/RenterContractPage?id=${id}`);
  const drawer = desk.page.getByRole("dialog", { name: contractNo });
  await drawer.getByRole("button", { name: "发起电子签署" }).click();
  await desk.page.getByText("签署链接已发送至").waitFor();
  await desk.page
    .getByRole("dialog", { name: /^电子签署 QS/ })
    .getByRole("button", { name: "关闭" })
    .click();
  await drawer.getByRole("status").getByText("签署中").waitFor();

  const { rows } = await house.database.pool.query<{ link: string }>(
    "select params->>'link' link from outbox where recipient = $1 and template <> 'code' order by id desc limit 1",
    [await phoneOf(house, partyId)],
  );
  const { page, errors } = await open({ size: PHONE, theme: "system" });
  const scripts: string[] = [];
  let wire = 0;
  page.on("response", async (response) => {
    if (!response.url().endsWith(".js")) return;
    scripts.push(response.url());
    wire += (await response.body().catch(() => Buffer.alloc(0))).length;
  });
  await page.goto(base.replace("/sams", new URL(rows[0]!.link).pathname));
  await page.getByRole("heading", { name: /邀请您签署《房屋租赁合同》$/ }).waitFor();
  expect(scripts.join()).not.toMatch(/react|kit/);
  await page.getByLabel("证件号后四位").fill("0000");
  await page.getByRole("button", { name: "打开合同" }).click();
  await page.getByText("证件号后四位不正确，还可尝试2次").waitFor();
  expect(await faultsAtAnyWidth(page)).toEqual([]);
  await page.getByLabel("证件号后四位").fill(LAST4);
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "合同正文" }).waitFor();
  // before it is unpacked, less than what is allowed on the line
  expect(wire).toBeLessThan(150_000);
  const sign = page.getByRole("button", { name: "同意签署" });
  expect(await sign.getAttribute("aria-disabled")).toBe("true");

  const canvas = page.getByRole("img", { name: /手写签名区/ });
  await canvas.scrollIntoViewIfNeeded();
  const box = (await canvas.boundingBox())!;
  // a finger that only scrolls past has written nothing
  await page.mouse.click(box.x + 40, box.y + 40);
  await page.getByLabel("我已阅读并同意本合同及电子签署约定").check();
  await page.getByRole("button", { name: "获取验证码" }).click();
  await page.getByRole("button", { name: /秒后可重发/ }).waitFor();
  await page.getByText("电子签署约定", { exact: true }).click();
  expect(await faultsAtAnyWidth(page)).toEqual([]);
  const code = await codeSent(house, await phoneOf(house, partyId));
  await page.getByLabel("短信验证码").fill(code);
  await expect.poll(() => sign.getAttribute("aria-disabled"), { timeout: 15_000 }).toBe("false");
  await sign.click();
  await page.getByText("请手写签名", { exact: true }).waitFor();
  await canvas.scrollIntoViewIfNeeded();
  const at = (await canvas.boundingBox())!;
  await page.mouse.move(at.x + 40, at.y + 40);
  await page.mouse.down();
  await page.mouse.move(at.x + 160, at.y + 90, { steps: 5 });
  await page.mouse.up();
  await sign.click();
  await page.getByRole("heading", { name: "签署成功，待企业盖章" }).waitFor();
  await drawer.getByRole("status").getByText("待盖章").waitFor({ timeout: 3_000 });

  const { list } = await house.did(waitingSeals, { as: shop.keeper }, { query: {} });
  await house.did(setSeal, { as: shop.keeper }, { params: { id: list[0]!.id }, body: {} });
  await page.getByRole("heading", { name: "签署已完成" }).waitFor({ timeout: 3_500 });
  await page.getByText("14,000.00").first().waitFor();
  expect(await faultsAtAnyWidth(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "下载合同" }).click(),
  ]);
  const sha = createHash("sha256")
    .update(await readFile(await download.path()))
    .digest("hex");
  await page.getByText(sha.slice(0, 16)).waitFor();
  await expect.poll(() => drawer.getByText("待生效").first().isVisible(), { timeout: 4_000 }).toBe(true);
  expect(errors.filter((e) => !/400|423/.test(e))).toEqual([]);
  expect(desk.errors).toEqual([]);
});

test("on handing in the clerk chooses the seal, who signs first and how long the link is good", async () => {
  const partyId = await aRenter(house, shop.villageId);
  await identified(house, partyId);
  const lessorId = await aLessor(house, "海棠公寓管理有限公司");
  const of = { villageIds: [shop.villageId], operatorIds: [shop.keeper.operatorId], lessorId };
  const sealId = await aSeal(house, of);
  const form = aForm(
    { ...shop, partyId, roomId: await aRoom(house, shop.building, "S901") },
    { start: "2027-03-01" },
  );
  const { id } = await house.did(createContract, { as: shop.clerk }, { body: form });
  const { page, errors } = await open({ as: shop.clerk, theme: "system" });
  await page.goto(`${base}/contract/RenterContractPage?draft=${id}`);
  for (const step of ["客户", "条款", "费用", "优惠", "账单预览", "签署"])
    await page.getByRole("button", { name: `下一步：${step}` }).click();
  await page.getByRole("radio", { name: "电子签署" }).click();
  await page.getByRole("radio", { name: /（海棠公寓管理有限公司）$/ }).click();
  const signers = page.getByRole("list", { name: "签署人" });
  await signers
    .getByRole("listitem")
    .filter({ hasText: "张三" })
    .getByText(/1\d{2}\*{4}\d{4}/)
    .waitFor();
  await page.getByRole("button", { name: /^上移 出租方.海棠公寓管理有限公司/ }).click();
  const hours = page.getByLabel("链接有效期");
  expect(await hours.inputValue()).toBe("72");
  await hours.fill("169");
  await page.getByText("请输入1到168之间的整数").waitFor();
  await page.getByRole("button", { name: "提交并发起签署" }).click();
  expect(await faultsInBoth(page)).toEqual([]);
  await hours.fill("24");
  await page.getByRole("button", { name: "提交并发起签署" }).click();
  await page.getByText("盖章后自动发送签署链接").waitFor();
  const { rows } = await house.database.pool.query(
    "select seal_id id, link_hours hours, sign_order first, state from sign_flow where contract_id = $1",
    [id],
  );
  expect(rows).toEqual([{ id: sealId, hours: 24, first: "enterpriseFirst", state: "created" }]);
  expect(errors).toEqual([]);
});

test("by the keyboard alone a tenant reads, types the name in place of drawing it, and refuses", async () => {
  const { id } = await toSign(house, shop, { start: "2027-03-01" });
  const link = `/esign/s/${await started(house, shop.clerk, id)}`;
  const { page, errors } = await open({ size: DESK, theme: "system" });
  pictureOnFailure(() => page);
  const { keyboard } = page;
  /** As far as the key leads: nothing is focused by other means. */
  const tabTo = async (control: Locator) => {
    const reached = () => control.evaluate((element) => element === document.activeElement);
    for (let tries = 0; tries < 30 && !(await reached()); tries++) await keyboard.press("Tab");
    expect(await reached(), String(control)).toBe(true);
  };
  await page.goto(base.replace("/sams", link));
  await tabTo(page.getByLabel("证件号后四位"));
  await keyboard.type(LAST4);
  await keyboard.press("Enter");
  await page.getByRole("article", { name: "合同正文" }).waitFor();
  // past the last page in one step
  await keyboard.press("End");
  await page.getByRole("status").getByText("已读至末页，可以签署").waitFor();
  expect(await page.getByRole("button", { name: "同意签署" }).getAttribute("aria-disabled")).toBe("false");
  await tabTo(page.locator("summary", { hasText: "无法手写？键入姓名" }));
  await keyboard.press("Enter");
  await tabTo(page.getByLabel("键入姓名"));
  await keyboard.type("张三");
  await tabTo(page.getByRole("button", { name: "写入" }));
  await keyboard.press("Enter");
  await page.getByRole("status").getByText("已写入签名：张三").waitFor();
  const inked = () =>
    page.locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value) => value > 0);
    });
  expect(await inked()).toBe(true);
  await tabTo(page.getByLabel("我已阅读并同意本合同及电子签署约定"));
  await keyboard.press("Space");
  const refuse = page.getByRole("button", { name: "拒绝签署" });
  await tabTo(refuse);
  await keyboard.press("Enter");
  expect(await refuse.getAttribute("aria-expanded")).toBe("true");
  await keyboard.type("暂不租了");
  expect(await faultsAtAnyWidth(page)).toEqual([]);
  await tabTo(page.getByRole("button", { name: "确认拒签" }));
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "已拒签" }).waitFor();
  expect(await faultsAtAnyWidth(page)).toEqual([]);
  await page.goto(base.replace("/sams", link));
  await page.getByRole("heading", { name: "已拒绝签署" }).waitFor();
  expect(await faultsAtAnyWidth(page)).toEqual([]);
  expect(errors.filter((e) => !/410/.test(e))).toEqual([]);
});

test("of seals that are set together each says what became of it; one that has no effect says why", async () => {
  const store = await aSigningShop(house, { village: "批量盖章店" });
  const listed: string[] = [];
  for (const n of [1, 2, 3]) {
    const { id, contractNo, partyId } = await toSign(house, store, { start: `2027-0${n + 3}-01` });
    await partySigns(house, await started(house, store.clerk, id), partyId);
    if (n === 2) continue;
    await house.database.db
      .insertInto("blackList")
      .values({
        enterpriseId: house.enterpriseId,
        name: "张三",
        phone: await phoneOf(house, partyId),
        level: "forbid",
        reason: "恶意欠租",
        source: "法务",
      })
      .execute();
    listed.push(contractNo);
  }
  const { page, errors } = await open({ as: store.keeper });
  await page.goto(`${base}/system/ContractManagement?tab=waiting`);
  const row = page.getByRole("row", { name: new RegExp(listed[0]!) });
  // who may not open contracts reads the number alone
  expect(await row.getByRole("link").count()).toBe(0);
  await row.getByRole("button", { name: "盖章" }).click();
  await page.getByRole("dialog", { name: "盖章" }).getByRole("button", { name: "确定" }).click();
  await page.getByText("未能生效：该客户在黑名单中，禁止签约：恶意欠租").waitFor();
  await row.waitFor({ state: "detached" });
  await page
    .getByRole("checkbox", { name: /全选|选择本页/ })
    .first()
    .check();
  await page.getByRole("button", { name: "批量盖章" }).click();
  const many = page.getByRole("dialog", { name: "批量盖章 2 份文件" });
  await many.getByRole("button", { name: "盖章", exact: true }).click();
  await many.getByText("已盖章 1 份，1 份没有盖章。").waitFor();
  await many.getByRole("row", { name: new RegExp(`${listed[1]}.*未能生效：该客户在黑名单中`) }).waitFor();
  expect(errors).toEqual([]);
});

test("an enterprise is registered in three steps, verified by an amount sent to its bank account, and authorised on a phone", async () => {
  const may = ["95.query", "95.get", "95.add", "95.edit"];
  const clerk = await house.person({ permits: may, villages: [shop.villageId] });
  const { page, errors } = await open({ as: clerk });
  pictureOnFailure(() => page);
  await page.goto(`${base}/system/CreateEnterprise`);
  const fill = async (fields: Record<string, string>) => {
    for (const [label, text] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(text);
    await page.keyboard.press("Tab");
  };
  const first17 = "91330100MA0000001";
  const right = creditCheckCharacter(first17);
  await fill({
    企业名称: "滨江公寓管理有限公司",
    统一社会信用代码: first17 + (right === "0" ? "1" : "0"),
  });
  await page.getByText("统一社会信用代码格式不正确").waitFor();
  await fill({ 统一社会信用代码: first17 + right, 开户行: "工商银行", 对公账号: "6222021001001234567" });
  await page.getByRole("button", { name: "下一步：法人与经办人" }).click();
  await fill({ 法人姓名: "林敏", 法人手机: "13800001111", 法人证件号: "330106199503074521" });
  await page.getByRole("button", { name: "下一步：证照" }).click();
  const papers = page.locator("input[type=file]");
  const picture = (name: string, buffer = aPng()) => ({ name, mimeType: "image/png", buffer });
  await papers.nth(0).setInputFiles(picture("程序.png", Buffer.from("MZ renamed program")));
  await page.locator(".files__one--bad", { hasText: "请上传图片" }).waitFor();
  await papers.nth(0).setInputFiles(picture("大图.png", Buffer.alloc(12 * 1024 * 1024)));
  await page.getByText(/文件不能超过 10/).waitFor();
  for (const [i, name] of ["执照.png", "正面.png", "反面.png"].entries()) {
    await papers.nth(i).setInputFiles(picture(name));
    await page.getByRole("button", { name: `移除 ${name}` }).waitFor();
  }
  await page.getByRole("button", { name: "保存企业" }).click();
  await page.getByRole("heading", { name: "认证 待提交" }).waitFor();

  await page.getByRole("button", { name: "对公小额打款" }).click();
  await page.getByText("等待平台管理员向对公账户打款").waitFor();
  const { pathname, search } = new URL(page.url());
  const there = pathname.replace(/^\/sams/, "") + search;
  const boss = await open({ as: await house.person({ superType: "0" }) });
  await boss.page.goto(base + there);
  await boss.page.getByRole("button", { name: "打款", exact: true }).click();
  const told = boss.page.getByRole("dialog", { name: "对公打款" });
  await told.getByText("6222021001001234567").waitFor();
  const sent = (await told.locator("dd").last().innerText()).trim();
  await told.getByRole("button", { name: "已打款" }).click();
  await boss.page.getByText("已确认打款").waitFor();

  await page.reload();
  const amount = page.getByLabel("到账金额");
  await amount.fill(sent === "0.99" ? "0.98" : "0.99");
  // pressed twice it is one try
  await page.locator("form", { has: amount }).evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
  });
  await page.getByText(/请在银行流水中查到账金额，还可提交 2 次/).waitFor();
  await amount.fill(sent);
  await amount.press("Enter");
  await page.getByRole("heading", { name: "认证 已认证" }).waitFor();
  expect(boss.errors).toEqual([]);

  await page.getByRole("button", { name: "发起授权" }).click();
  await page.getByRole("button", { name: "发送授权书" }).click();
  const link = await page.getByText(/\/esign\/a\//).innerText();
  const phone = await open({ size: PHONE, theme: "system" });
  await phone.page.goto(base.replace("/sams", new URL(link).pathname));
  await phone.page.getByText(/^滨江\*+公司 请您签署电子签署授权书/).waitFor();
  expect(await faultsAtAnyWidth(phone.page)).toEqual([]);
  await phone.page.getByLabel("后 4 位").fill("4521");
  await phone.page.keyboard.press("Enter");
  const agree = phone.page.getByRole("button", { name: "我已阅读并同意，签署授权书" });
  await phone.page.getByRole("button", { name: "获取验证码" }).click();
  await phone.page.getByRole("button", { name: /^\d+ 秒$/ }).waitFor();
  await phone.page.getByLabel(/短信验证码/).fill(await codeSent(house, "13800001111"));
  expect(await agree.isDisabled()).toBe(true);
  await phone.page.getByRole("button", { name: "阅读授权书全文" }).click();
  await expect.poll(() => agree.isEnabled()).toBe(true);
  expect(await faultsAtAnyWidth(phone.page)).toEqual([]);
  await agree.click();
  await phone.page.getByRole("heading", { name: "认证成功" }).waitFor();
  await phone.page.getByText(/^滨江\*+公司$/).waitFor();
  expect(await faultsAtAnyWidth(phone.page)).toEqual([]);
  await page.reload();
  await page.getByRole("heading", { name: "授权 已授权" }).waitFor();
  await house.database.pool.query(
    "update lessor_request set result_expires_at = now() - interval '1 minute'",
  );
  await phone.page.reload();
  await phone.page.getByRole("heading", { name: "认证结果已提交" }).waitFor();
  expect(await phone.page.getByText("滨江").count()).toBe(0);
  expect(phone.errors).toEqual([]);

  await moveTo(page, "/system/CreateEnterprise");
  await expect.poll(() => page.getByLabel("企业名称", { exact: true }).inputValue()).toBe("");
  expect(errors.filter((e) => !/400/.test(e))).toEqual([]);
});
