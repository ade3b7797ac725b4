import { beforeEach, expect, test } from "vitest";
import { codeSent, identified } from "../../domains/contract/esign/esign.sample.ts";
import { saveSheet } from "../../domains/contract/inspection/inspection.contract.ts";
import { PERMITS, aSettler } from "../../domains/contract/settlement/settlement.sample.ts";
import { aPng } from "../../domains/system/file/file.sample.ts";
import { dayInZone } from "../../platform/kernel/day.ts";
import { yuan } from "../../platform/kernel/fen.ts";
import { choose, keepPicture, PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { pool } = house.database;
const at = await aSettler(house, { village: "云溪店" });
const contract = await at.lease({}, 4);
await identified(house, contract.partyId);
house.setClock(new Date().toISOString());
const as = await house.person({
  permits: [
    ...PERMITS,
    "9.query",
    "9.get",
    "9.edit",
    "3.query",
    "16.query",
    "26.query",
    "#7201",
    "#7202",
    "#7203",
  ],
  villages: [at.shop.villageId],
});
const { page, errors } = await open({ as });
const settled = settling(page);
const today = dayInZone(new Date());
beforeEach(() => pictureOnFailure(() => page));

/** The tenant opens the link that was sent, reads the sheet to its number, and agrees with the code. */
async function agreesOnPhone(contractId: number) {
  const { rows } = await pool.query<{ last4: string; phone: string; net: string; link: string }>(
    `select l.last4, l.phone, l.net, o.params->>'link' link from settlement_link l
     join contract_act a on a.id = l.act_id join outbox o on o.source_id = l.id and o.params->>'name' = '退房结算单确认'
     where a.contract_id = $1 order by o.id desc limit 1`,
    [contractId],
  );
  const { last4, phone, net, link } = rows[0]!;
  const tenant = await open({ size: PHONE });
  await tenant.page.goto(base.replace("/sams", new URL(link).pathname));
  await tenant.page.getByRole("heading", { name: /请您核对退房结算单$/ }).waitFor();
  await tenant.page.getByLabel("证件号后四位").fill(last4);
  await tenant.page.keyboard.press("Enter");
  await tenant.page.getByRole("heading", { name: yuan(Math.abs(Number(net))) }).waitFor();
  const width = await tenant.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, "nothing stands beyond the edge of a phone").toBe(PHONE.width);
  await keepPicture(tenant.page, "settlement-phone");
  await tenant.page.getByLabel("我已核对结算单的每一项，同意按此结算").check();
  await tenant.page.getByRole("button", { name: "获取验证码" }).click();
  await tenant.page.getByRole("button", { name: /秒后可重发/ }).waitFor();
  await tenant.page.getByLabel("短信验证码").fill(await codeSent(house, phone));
  await tenant.page.getByRole("button", { name: "同意结算" }).click();
  await tenant.page.getByRole("heading", { name: /^您已确认结算单/ }).waitFor();
  expect(tenant.errors).toEqual([]);
  await tenant.page.close();
}

test("a tenant moves in with a sheet and leaves with one thing broken: damage, readings and water are charged, he agrees on the phone, the refund is applied for", async () => {
  await page.goto(`${base}/contract/RenterContractPage?id=${contract.id}&act=handover`);
  const moveIn = page.getByRole("dialog", { name: /^办理入住/ });
  await moveIn.getByRole("button", { name: "登记入住交接单" }).click();
  const form = page.getByRole("dialog", { name: /^入住交接单/ });
  await form.getByLabel("钥匙", { exact: true }).fill("2");
  await form.getByRole("button", { name: "添加物品" }).click();
  const item = form.locator(".lines").first().locator("tbody tr").last();
  await item.getByRole("textbox", { name: "物品" }).fill("书桌");
  await item.getByRole("textbox", { name: "赔偿价" }).fill("300");
  await form.getByRole("button", { name: "添加读数" }).click();
  const meter = form.locator(".lines").nth(1).locator("tbody tr").last();
  await meter.getByRole("textbox", { name: "表号" }).fill("E-7");
  await meter.getByRole("textbox", { name: "读数", exact: true }).fill("100");
  const canvas = form.locator("canvas");
  await canvas.scrollIntoViewIfNeeded();
  const box = (await canvas.boundingBox())!;
  await page.mouse.move(box.x + 30, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 80, { steps: 4 });
  await page.mouse.up();
  await keepPicture(page, "hand-over-sheet");
  // a colleague was quicker: nothing that either typed is lost
  const quicker = { kind: "in", roomId: contract.roomId, doneOn: today, cards: 3, version: 0 } as const;
  await house.did(saveSheet, { as }, { params: { id: contract.id }, body: quicker });
  await form.getByRole("button", { name: "保存", exact: true }).click();
  await form.getByRole("button", { name: "载入最新数据" }).click();
  await form
    .getByText(/他人修改了：门卡/)
    .first()
    .waitFor();
  await form.getByRole("button", { name: "保存", exact: true }).click();
  await form.waitFor({ state: "hidden" });
  await moveIn.getByText(/钥匙 2 把，门卡 3 张，\s*租客已签字/).waitFor();
  await moveIn.getByRole("button", { name: "办理入住", exact: true }).click();
  await moveIn.waitFor({ state: "hidden" });

  await page.goto(`${base}/contract/SettleRoomApplicationPage?action=1&leaving=${contract.id}`);
  const ask = page.getByRole("dialog", { name: "新增退房申请" });
  await ask.waitFor();
  await ask.getByLabel("退房日", { exact: true }).fill(today);
  await page.keyboard.press("Enter");
  await choose(
    () => ask.getByLabel("类型", { exact: true }).click(),
    page.getByTitle("提前退租", { exact: true }).last(),
  );
  await ask.getByLabel("退房原因", { exact: true }).fill("工作调动");
  await settled();
  await ask.getByRole("button", { name: "提交申请" }).click();
  await ask.waitFor({ state: "hidden" });
  const row = page.getByRole("row").filter({ hasText: contract.contractNo });
  await row.waitFor();
  await row.locator(`a[href$="/configuration/RenterManage?id=${contract.partyId}"]`).waitFor();
  await row.locator(`a[href$="/configuration/apartment?room=${contract.roomId}"]`).waitFor();
  await row.getByRole("button", { name: "编辑结算" }).waitFor();
  await row.getByText(/^TF/).click();
  const drawer = page.locator(".drawer:visible").last();
  await drawer.getByText("账单变化").waitFor();
  await drawer.getByRole("tab", { name: /^验房/ }).click();
  await drawer.getByRole("button", { name: "登记退房验房单" }).click();
  const out = page.getByRole("dialog", { name: /^退房验房单/ });
  await out.getByLabel("钥匙", { exact: true }).fill("2");
  await out.getByLabel("门卡", { exact: true }).fill("2");
  await out.getByLabel("门卡赔偿价", { exact: true }).fill("20");
  const came = out.locator(".lines").first().locator("tbody tr").first();
  await came.getByText("损坏", { exact: true }).click();
  await out.locator(".lines").nth(1).getByRole("textbox", { name: "读数", exact: true }).fill("150.5");
  await out.locator(".lines").nth(1).getByRole("textbox", { name: "单价" }).fill("0.8");
  await out.getByRole("button", { name: "保存", exact: true }).click();
  await out.getByText("请上传“书桌”的照片").first().waitFor();
  await came
    .locator("input[type=file]")
    .setInputFiles({ name: "书桌.png", mimeType: "image/png", buffer: aPng() });
  await came.getByText("已有 1 张").waitFor();
  await out.getByRole("button", { name: "保存", exact: true }).click();
  await out.waitFor({ state: "hidden" });
  await drawer.getByText("损坏", { exact: true }).waitFor();

  await drawer.getByRole("button", { name: "编辑结算" }).click();
  const edit = page.getByRole("dialog", { name: /^结算 TF/ });
  await edit.getByRole("button", { name: "带入验房扣款" }).click();
  await edit
    .getByRole("row", { name: /书桌损坏.*-?300\.00/ })
    .first()
    .waitFor();
  await edit
    .getByRole("row", { name: /门卡缺失.*-?20\.00/ })
    .first()
    .waitFor();
  await edit
    .getByRole("row", { name: /电费.*40\.40/ })
    .first()
    .waitFor();
  await edit.getByRole("button", { name: "添加扣款" }).click();
  const line = edit.locator(".lines tbody tr").last();
  const typed = line.getByRole("textbox");
  await choose(
    () => line.getByRole("combobox").nth(1).click(),
    page.locator(".ant-select-item-option:visible").getByText("水费", { exact: true }).first(),
  );
  for (const [i, text] of ["水费", "6", "5.00"].entries()) await typed.nth(i).fill(text);
  await typed.nth(2).blur();
  await expect.poll(() => typed.nth(3).inputValue()).toBe("30.00");
  await edit
    .getByRole("row", { name: /水费.*30\.00/ })
    .first()
    .waitFor();
  await settled();
  await keepPicture(page, "settlement");
  await edit.getByRole("button", { name: "保存", exact: true }).click();
  await edit.waitFor({ state: "hidden" });

  const direct = drawer.getByRole("button", { name: "收款账户", exact: true });
  if (await direct.count()) await direct.click();
  else {
    await drawer.getByRole("button", { name: "更多" }).click();
    await page.getByRole("menuitem", { name: "收款账户" }).click();
  }
  const payee = page.getByRole("dialog", { name: /^收款账户/ });
  await payee.getByLabel("开户行", { exact: true }).fill("工商银行");
  await payee.getByLabel("账号", { exact: true }).fill("6222020200011234567");
  await payee.getByRole("button", { name: "保存", exact: true }).click();
  await payee.waitFor({ state: "hidden" });
  await drawer.getByText("张三 工商银行 6222****4567").waitFor();

  await drawer.getByRole("button", { name: "提交结算" }).click();
  const step = page.getByRole("dialog", { name: /^提交结算/ });
  await step.getByRole("button", { name: "提交", exact: true }).click();
  await step.waitFor({ state: "hidden" });
  await drawer.getByRole("button", { name: "送达结算单" }).click();
  const present = page.getByRole("dialog", { name: /^送达结算单/ });
  await present.getByRole("button", { name: "送达", exact: true }).click();
  await present.getByText("租客也可以当面扫码确认").waitFor();
  await present.getByRole("button", { name: "关闭" }).last().click();
  await agreesOnPhone(contract.id);
  await page.reload();
  await drawer.getByRole("tab", { name: "确认记录" }).click();
  await drawer.getByText("已确认", { exact: true }).waitFor();
  await drawer.getByRole("button", { name: "确认结算" }).click();
  const confirm = page.getByRole("dialog", { name: /^确认结算/ });
  const shown = confirm.getByText(/^应退 [\d,.]+$/).first();
  await shown.waitFor();
  const refund = /[\d,.]+$/.exec(await shown.innerText())![0];
  await settled();
  await confirm.getByRole("button", { name: "确认结算" }).click();
  await confirm.waitFor({ state: "hidden" });
  await drawer.getByText("待收付", { exact: true }).first().waitFor();
  await drawer.getByRole("tab", { name: "结算明细" }).click();
  await drawer.getByText("书桌损坏").first().waitFor();
  // what the screen showed is what was booked, and applied for to the tenant's account
  const { rows } = await pool.query<{ amount: string }>(
    `select c.state, r.state refund, r.payee_tail tail, r.amount, r.amount = a.net whole,
       (select sum(outstanding)::int from bill where contract_id = c.id) open,
       (select array_agg(l.amount::int order by l.amount) from settlement_line l where l.act_id = a.id and l.kind in ('damage', 'utility')) lines
     from contract_act a join contract c on c.id = a.contract_id join refund r on r.id = a.refund_id where c.id = $1`,
    [contract.id],
  );
  expect(rows).toMatchObject([
    {
      state: "terminated",
      refund: "toPay",
      tail: "4567",
      whole: true,
      open: 0,
      lines: [-30_000, -4_040, -3_000, -2_000],
    },
  ]);
  expect(yuan(Number(rows[0]!.amount))).toBe(refund);
  await drawer.getByText(refund).first().waitFor();
  // the room was let, and the tenant lived in it, to that day
  await page.goto(`${base}/contract/RenterContractPage?id=${contract.id}&part=people`);
  await expect.poll(() => page.getByRole("cell", { name: `~ ${today}` }).count()).toBe(2);
  expect(errors.filter((e) => !/ (400|409) /.test(e))).toEqual([]);
});
