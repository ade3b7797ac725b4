import { beforeAll, beforeEach, expect, test } from "vitest";
import { aForm, aRenter, aRoom, aShop, signed } from "../../domains/contract/contract/contract.sample.ts";
import { aPdf } from "../../domains/system/file/file.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { choose, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { pool } = house.database;
const today = dayInZone(new Date());
const CHANGES = ["96.query", "96.get", "96.add", "96.edit", "#9601"];
const shop = await aShop(house, { permits: CHANGES, village: "云溪店" });
const { page, errors } = await open({ as: shop.clerk });
const settled = settling(page);
let [one, two] = [0, 0];
let [first, second] = ["", ""];
beforeEach(() => pictureOnFailure(() => page));

beforeAll(async () => {
  const lease = async (name: string, tenant: string, rent: number) => {
    const roomId = await aRoom(house, shop.building, name, rent);
    const partyId = await aRenter(house, shop.villageId, { name: tenant });
    const form = aForm({ ...shop, roomId, partyId }, { start: addDays(today, -40), rent });
    return signed(house, shop.clerk, form, today);
  };
  ({ id: one, contractNo: first } = await lease("D101", "赵一", 300_000));
  ({ id: two, contractNo: second } = await lease("D102", "钱二", 360_000));
});

test("two tenants swap their rooms: both previews are shown, both are handed in, and confirmed with the papers of both", async () => {
  await page.goto(`${base}/contract/ChangeRoomManage`);
  await page.getByRole("button", { name: "新增对调" }).click();
  const ask = page.getByRole("dialog", { name: "新增对调" });
  for (const [label, no] of [
    ["合同", first],
    ["对方合同", second],
  ] as const) {
    await choose(
      async () => {
        await ask.getByLabel(label, { exact: true }).click();
        await ask.getByLabel(label, { exact: true }).fill(no);
      },
      page.locator(".ant-select-item-option:visible").filter({ hasText: no }),
    );
  }
  await expect.poll(() => ask.getByText("押金在管").count()).toBe(2);
  await ask.getByLabel("原因", { exact: true }).fill("两位租客协商互换");
  await settled();
  await ask.getByRole("button", { name: "下一步：试算" }).click();
  const submit = page.getByRole("dialog", { name: /^提交换房 HF/ });
  await submit.getByText(`对方：合同 ${second}`).waitFor();
  await settled();
  await submit.getByRole("button", { name: "提交", exact: true }).click();
  await submit.waitFor({ state: "hidden" });
  await expect.poll(() => page.getByRole("row").getByText("待签署", { exact: true }).count()).toBe(2);

  const row = page.getByRole("row").filter({ hasText: first });
  await row.getByText(/^HF/).click();
  const drawer = page.locator(".drawer:visible").last();
  await drawer.getByText("对调单号").waitFor();
  await drawer.getByRole("button", { name: "确认换房" }).click();
  const confirm = page.getByRole("dialog", { name: /^确认换房 HF/ });
  await confirm.getByText("对方合同扫描件").waitFor();
  for (const [i, name] of ["甲方合同.pdf", "乙方合同.pdf"].entries()) {
    const scan = {
      name,
      mimeType: "application/pdf",
      buffer: Buffer.concat([aPdf(), Buffer.from(`% ${name}`)]),
    };
    await confirm.locator("input[type=file]").nth(i).setInputFiles(scan);
    await confirm.getByRole("button", { name: `移除 ${name}` }).waitFor();
  }
  await settled();
  await confirm.getByRole("button", { name: "确认换房" }).click();
  await confirm.waitFor({ state: "hidden" });
  await drawer.getByText("已完成", { exact: true }).first().waitFor();
  const { rows } = await pool.query(
    `select c.state, n.state next, r.name room from contract c join contract n on n.previous_id = c.id
     join contract_room r on r.contract_id = n.id where c.id in ($1, $2) order by c.id`,
    [one, two],
  );
  expect(rows).toMatchObject([
    { state: "changedRoom", next: "effective" },
    { state: "changedRoom", next: "effective" },
  ]);
  expect([rows[0].room, rows[1].room].map((name: string) => /D10\d/.exec(name)![0])).toEqual([
    "D102",
    "D101",
  ]);
  expect(errors).toEqual([]);
});
