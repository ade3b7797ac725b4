import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { aScan } from "../../domains/contract/contract/contract.sample.ts";
import { PERMITS, aSettler } from "../../domains/contract/settlement/settlement.sample.ts";
import { getSettlement, settlementActs } from "../../domains/contract/settlement/settlement.contract.ts";
import { aPng } from "../../domains/system/file/file.sample.ts";
import { dayInZone } from "../../platform/kernel/day.ts";
import { keepPicture, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { pool } = house.database;
const at = await aSettler(house, { village: "云溪店" });
const contract = await at.lease({}, 4);
house.setClock(new Date().toISOString());
const as = await house.person({
  permits: [...PERMITS, "9.query", "9.get", "9.edit", "26.query", "#7201", "#7202", "#7203"],
  villages: [at.shop.villageId],
});
const { page, errors } = await open({ as });
const settled = settling(page);
const today = dayInZone(new Date());
beforeEach(() => pictureOnFailure(() => page));

test("a tenant moves in with a sheet and leaves with one thing broken: the damage is charged, the refund has its account", async () => {
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
  await form.getByRole("button", { name: "保存", exact: true }).click();
  await form.waitFor({ state: "hidden" });
  await moveIn.getByText(/钥匙 2 把.*租客已签字/).waitFor();
  await moveIn.getByRole("button", { name: "办理入住", exact: true }).click();
  await moveIn.waitFor({ state: "hidden" });

  const { id } = await house.did(
    settlementActs.ask,
    { as },
    {
      body: {
        contractId: contract.id,
        effectiveOn: today,
        endReason: "early",
        noticeOn: today,
        reason: "工作调动",
        charges: [],
      } as never,
    },
  );
  await page.goto(`${base}/contract/SettleRoomApplicationPage?id=${id}&part=sheets`);
  const drawer = page.locator(".drawer:visible").last();
  await drawer.getByRole("button", { name: "登记退房验房单" }).click();
  const out = page.getByRole("dialog", { name: /^退房验房单/ });
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
    .getByRole("row", { name: /电费.*40\.40/ })
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

  const version = async () => (await house.did(getSettlement, { as }, { params: { id } })).version;
  const { previewHash } = await house.did(settlementActs.preview, { as }, { params: { id }, body: {} });
  await house.did(
    settlementActs.submit,
    { as },
    { params: { id }, body: { version: await version(), previewHash } },
  );
  const fileIds = [await aScan(house, as)];
  const agree = { version: await version(), how: "paper" as const, note: "租客已签字", fileIds };
  await house.did(settlementActs.agree, { as }, { params: { id }, body: agree });
  await house.did(
    settlementActs.confirm,
    { as, key: randomUUID() },
    { params: { id }, body: { version: await version(), previewHash } },
  );
  await page.reload();
  await drawer.getByRole("tab", { name: "结算明细" }).click();
  await drawer.getByText("书桌损坏").first().waitFor();
  const { rows } = await pool.query(
    `select r.payee_tail tail, r.amount = a.net whole, (select amount::int from settlement_line l where l.act_id = a.id and l.kind = 'damage') damage
     from contract_act a join refund r on r.id = a.refund_id where a.id = $1`,
    [id],
  );
  expect(rows).toEqual([{ tail: "4567", whole: true, damage: -30_000 }]);
  expect(errors.filter((e) => !e.includes("400"))).toEqual([]);
});
