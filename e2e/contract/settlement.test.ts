import { beforeEach, expect, test } from "vitest";
import { dayInZone } from "../../platform/kernel/day.ts";
import { yuan } from "../../platform/kernel/fen.ts";
import { codeSent } from "../../domains/contract/esign/esign.sample.ts";
import {
  choose,
  demoPerson,
  keepPicture,
  PHONE,
  pictureOnFailure,
  settling,
  story,
} from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 120 });
const { pool } = house.database;
const today = dayInZone(new Date());
const { page, errors } = await open({ as: await demoPerson(house, "dianzhang01") });
const settled = settling(page);
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

test("a clerk settles a leaving with damage and readings, and a refund is applied for", async () => {
  const { rows } = await pool.query<{ id: number; contractNo: string; partyId: number; roomId: number }>(
    `select c.id, c.contract_no "contractNo", c.party_id "partyId",
       (select r.room_id from contract_room r where r.contract_id = c.id order by r.seq limit 1) "roomId"
     from contract c join deposit_balance d on d.contract_id = c.id and d.kind = 'deposit'
     where c.state = 'effective' and c.kind = 'renter' and c.source <> 'import' and c.handover_on is not null and d.held > 100000
       and c.start_date < current_date - 60 and c.end_date > current_date + 60
       and c.village_id = any(array(select unnest(village_ids) from operator where account = 'dianzhang01'))
       and not exists (select from contract_act a where a.contract_id = c.id)
       and not exists (select from bill b where b.contract_id = c.id and b.outstanding > 0 and b.due_date < current_date)
     order by c.id limit 1`,
  );
  const { id, contractNo, partyId, roomId } = rows[0]!;
  await page.goto(`${base}/contract/SettleRoomApplicationPage?action=1&leaving=${id}`);
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
  const row = page.getByRole("row").filter({ hasText: contractNo });
  await row.waitFor();
  await row.locator(`a[href$="/configuration/RenterManage?id=${partyId}"]`).waitFor();
  await row.locator(`a[href$="/configuration/apartment?room=${roomId}"]`).waitFor();
  await row.getByRole("button", { name: "编辑结算" }).waitFor();
  await row.getByText(/^TF/).click();
  const drawer = page.locator(".drawer:visible").last();
  await drawer.getByText("账单变化").waitFor();
  await drawer.getByRole("button", { name: "编辑结算" }).click();
  const edit = page.getByRole("dialog", { name: /^结算 TF/ });
  await edit.getByRole("button", { name: "添加扣款" }).click();
  const line = edit.locator(".lines tbody tr").last();
  const box = line.getByRole("textbox");
  await choose(
    () => line.getByRole("combobox").nth(1).click(),
    page.locator(".ant-select-item-option:visible").getByText("电费", { exact: true }).first(),
  );
  for (const [i, text] of ["电费", "128", "0.80"].entries()) await box.nth(i).fill(text);
  await box.nth(2).blur();
  await expect.poll(() => box.nth(3).inputValue()).toBe("102.40");
  await edit
    .getByRole("row", { name: /电费.*102\.40/ })
    .first()
    .waitFor();
  await settled();
  await edit.getByRole("button", { name: "保存", exact: true }).click();
  await edit.waitFor({ state: "hidden" });

  await drawer.getByRole("button", { name: "提交结算" }).click();
  const step = page.getByRole("dialog", { name: /^提交结算/ });
  await step.getByRole("button", { name: "提交", exact: true }).click();
  await step.waitFor({ state: "hidden" });
  await drawer.getByRole("button", { name: "送达结算单" }).click();
  const present = page.getByRole("dialog", { name: /^送达结算单/ });
  await present.getByRole("button", { name: "送达", exact: true }).click();
  await present.getByText("租客也可以当面扫码确认").waitFor();
  await present.getByRole("button", { name: "关闭" }).last().click();
  await agreesOnPhone(id);
  await page.reload();
  await drawer.getByRole("tab", { name: "确认记录" }).click();
  await drawer.getByText("已确认", { exact: true }).waitFor();
  await drawer.getByRole("button", { name: "确认结算" }).click();
  const confirm = page.getByRole("dialog", { name: /^确认结算/ });
  await confirm
    .getByText(/^应[退收] [\d,.]+$/)
    .first()
    .waitFor();
  await settled();
  await confirm.getByRole("button", { name: "确认结算" }).click();
  await confirm.waitFor({ state: "hidden" });
  await drawer.getByText("待收付", { exact: true }).first().waitFor();
  const { rows: after } = await pool.query<{
    state: string;
    net: string;
    refund: string | null;
    open: string;
  }>(
    `select c.state, a.net, r.amount refund,
       (select coalesce(sum(outstanding), 0) from bill where contract_id = c.id) open
     from contract c join contract_act a on a.contract_id = c.id left join refund r on r.id = a.refund_id where c.id = $1`,
    [id],
  );
  // what the screen showed is what was booked
  const [done] = after;
  expect(done!.state).toBe("terminated");
  expect(Number(done!.refund ?? 0) - Number(done!.open)).toBe(Number(done!.net));
  await drawer
    .getByText(yuan(Math.abs(Number(done!.net))))
    .first()
    .waitFor();
  expect(errors).toEqual([]);
});
