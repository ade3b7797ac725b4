import { beforeAll, beforeEach, expect, test } from "vitest";
import { signed } from "../../domains/contract/contract/contract.sample.ts";
import { aCompanyForm, aFirmShop, someRooms } from "../../domains/contract/contract/firm.sample.ts";
import { aPng } from "../../domains/system/file/file.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { choose, keepPicture, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { pool } = house.database;
const today = dayInZone(new Date());
const shop = await aFirmShop(house, { permits: ["#1103", "#1104", "#1108"], village: "云溪店" });
const { page, errors } = await open({ as: shop.clerk });
const settled = settling(page);
let id: number;
beforeEach(() => pictureOnFailure(() => page));

beforeAll(async () => {
  const rooms = await someRooms(house, shop, ["Z101", "Z102", "Z103", "Z104"]);
  const form = aCompanyForm(shop, rooms.slice(0, 2), { rent: 180_000, start: addDays(today, -40) });
  ({ id } = await signed(house, shop.clerk, form, today));
});

/** Opens the contract with all that was done to it, and begins another act. */
async function begin(label: string) {
  await page.goto(`${base}/contract/CompanyContractPage?id=${id}&part=changes`);
  const contract = page.getByRole("dialog").first();
  await contract.getByRole("tab", { name: /变更/ }).waitFor();
  await settled();
  const direct = contract.getByRole("button", { name: label, exact: true });
  if (await direct.count()) await direct.click();
  else
    await choose(
      () => contract.getByRole("button", { name: "更多" }).click(),
      page.getByRole("menuitem", { name: label, exact: true }),
    );
  return page.getByRole("dialog", { name: new RegExp(`^${label} HT`) });
}

/** Handed in, signed on paper and confirmed, each from the act's own page. */
async function carriedOut(act: RegExp) {
  const change = page.getByRole("dialog", { name: act });
  await change.getByRole("button", { name: "提交签署" }).click();
  const submit = page.getByRole("dialog", { name: /^提交签署/ });
  await submit.getByText("变更后总额").waitFor();
  await settled();
  await submit.getByRole("button", { name: "提交", exact: true }).click();
  await submit.waitFor({ state: "hidden" });
  await change.getByRole("button", { name: "登记签署" }).click();
  const agree = page.getByRole("dialog", { name: /^登记签署/ });
  await agree.getByLabel("说明", { exact: true }).fill("双方当面签字");
  await agree
    .locator("input[type=file]")
    .setInputFiles({ name: "补充协议.png", mimeType: "image/png", buffer: aPng() });
  await agree.getByRole("button", { name: "移除 补充协议.png" }).waitFor();
  await settled();
  await agree.getByRole("button", { name: "登记", exact: true }).click();
  await agree.waitFor({ state: "hidden" });
  await change.getByRole("button", { name: "确认生效" }).click();
  const confirm = page.getByRole("dialog", { name: /^确认生效/ });
  await confirm.getByText("变更后总额").waitFor();
  await settled();
  await confirm.getByRole("button", { name: "确认生效" }).click();
  await confirm.waitFor({ state: "hidden" });
  await change.getByText("已完成", { exact: true }).first().waitFor();
}

async function picked(form: ReturnType<typeof page.getByRole>, rooms: readonly string[]) {
  await form.getByRole("button", { name: "选择房间" }).click();
  const picker = page.getByRole("dialog", { name: /^选择房间/ });
  await picker.getByLabel("按房号添加").fill(rooms.join(" "));
  await picker.getByRole("button", { name: "按房号添加" }).click();
  await picker.getByRole("button", { name: `确定（${rooms.length} 间）` }).click();
  await picker.waitFor({ state: "hidden" });
}

test("the rent is agreed anew: its bills stand under what is typed, the supplement is printed, signed and in force", async () => {
  const form = await begin("变更条款");
  await form.getByLabel("生效日", { exact: true }).fill(today);
  await page.keyboard.press("Enter");
  await form.getByRole("button", { name: "调整租金" }).click();
  await form.getByPlaceholder("如 5 或 -5").fill("5");
  // what is typed is worked out as soon as it is whole: the reason comes last
  await form.getByLabel("变更原因", { exact: true }).fill("协商上调租金");
  await form.getByText("变更后总额").waitFor();
  await form.getByText("重出").first().waitFor();
  await settled();
  await keepPicture(page, "amendment");
  await form.getByRole("button", { name: "提交申请" }).click();
  await form.waitFor({ state: "hidden" });
  const change = page.getByRole("dialog", { name: /^BC/ });
  await change.getByText(/月租金上调 5%/).waitFor();
  const [paper] = await Promise.all([
    page.waitForResponse((r) => r.url().endsWith("/sheet")),
    change.getByRole("button", { name: "打印补充协议" }).click(),
  ]);
  expect([paper.status(), paper.headers()["content-type"]]).toEqual([200, "application/pdf"]);
  await carriedOut(/^BC/);
  const { rows } = await pool.query(
    `select terms_version version, monthly_rent::int rent,
       (select (amount + adjusted)::int from bill where contract_id = $1 and voided_at is null order by due_date desc limit 1) last
     from contract where id = $1`,
    [id],
  );
  expect(rows[0]).toEqual({ version: 2, rent: 378_000, last: 378_000 });
  expect(errors).toEqual([]);
});

test("a room joins: it is held from handing in, and let with its first bills when the supplement is signed", async () => {
  const form = await begin("加房");
  await form.getByLabel("加房日", { exact: true }).fill(today);
  await page.keyboard.press("Enter");
  await form.getByLabel("加房原因", { exact: true }).fill("增加员工");
  await picked(form, ["Z103"]);
  await form.getByText("签署后应收").waitFor();
  await settled();
  await form.getByRole("button", { name: "提交申请" }).click();
  await form.waitFor({ state: "hidden" });
  await page
    .getByRole("dialog", { name: /^JF/ })
    .getByText(/起增租/)
    .waitFor();
  await carriedOut(/^JF/);
  const { rows } = await pool.query(
    "select count(*)::int let, count(*) filter (where kind = 'lease')::int leases from occupancy_row where contract_id = $1",
    [id],
  );
  expect(rows[0]).toEqual({ let: 3, leases: 3 });
  expect(errors).toEqual([]);
});

test("a room is exchanged for another: what it had paid and its deposit go over", async () => {
  const form = await begin("调换房间");
  await form.getByLabel("调换日", { exact: true }).fill(today);
  await page.keyboard.press("Enter");
  await form.getByLabel("调换原因", { exact: true }).fill("员工希望换朝向");
  await form.getByLabel("房间", { exact: true }).first().click();
  await page.locator(".ant-select-item-option:visible").first().click();
  await page.keyboard.press("Escape");
  await picked(form, ["Z104"]);
  await form.getByText("变更后总额").waitFor();
  await settled();
  await form.getByRole("button", { name: "提交申请" }).click();
  await form.waitFor({ state: "hidden" });
  const change = page.getByRole("dialog", { name: /^JF/ });
  await change.getByText(/租用至/).waitFor();
  await carriedOut(/^JF/);
  const { rows } = await pool.query(
    `select count(*) filter (where leave_date is null)::int staying, count(*)::int rooms from contract_room where contract_id = $1`,
    [id],
  );
  expect(rows[0]).toEqual({ staying: 3, rooms: 4 });
  expect(errors).toEqual([]);
});
