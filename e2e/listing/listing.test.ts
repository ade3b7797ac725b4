import { expect, test } from "vitest";
import { aRow, aSheet } from "../../domains/listing/import/import.sample.ts";
import { demoPerson, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const head = await demoPerson(house, "qinghe01");
const count = async (table: string, where = "true") =>
  (await house.database.pool.query(`select count(*)::int n from ${table} where ${where}`)).rows[0]
    .n as number;

test("a store is added from the quick action, gets its buildings by a pattern, and is not opened without an account", async () => {
  const { page, errors } = await open({ as: head, size: { width: 1440, height: 900 } });
  await page.goto(`${base}/configuration/village?action=1`);
  const form = page.getByRole("dialog", { name: "新增门店" });
  await form.getByLabel("门店编码").fill("HZ-NEW");
  await form.getByLabel("门店名称").fill("望江店");
  await form.getByRole("button", { name: "保存" }).click();
  await expect.poll(() => form.getByText("请选择区域").count()).toBeGreaterThan(0);
  await form.getByLabel("区域").click();
  await page.locator(".ant-select-item-option").first().click();
  await form.getByLabel("地址").fill("上城区望江东路 332 号");
  await form.getByLabel("店长").click();
  await page.locator(".ant-select-item-option", { hasText: "陈嘉禾" }).click();
  await form.getByLabel("联系电话").fill("0571-88001234");
  await form.getByRole("button", { name: "保存" }).click();

  const record = page.getByRole("dialog", { name: "望江店" });
  await record.getByRole("button", { name: "批量生成" }).click();
  const pattern = page.getByRole("dialog", { name: "批量生成楼栋和房源" });
  await pattern.getByLabel("楼栋", { exact: true }).fill("1栋，2栋，3栋");
  await pattern.getByLabel("每栋单元数").fill("2");
  await pattern.getByLabel("跳过楼层").fill("4,14");
  await pattern.getByLabel("建筑面积").fill("45.5");
  await pattern.getByLabel("标价").fill("3000");
  await pattern.getByRole("button", { name: "预览" }).click();
  await pattern.getByText("384 套房源").waitFor();
  expect(await count("apartment a join village v on v.id = a.village_id", "v.name = '望江店'")).toBe(0);
  await pattern.getByRole("button", { name: "生成 384 套" }).click();
  await record.getByText("128 套 128 间").first().waitFor();
  expect(await count("apartment a join village v on v.id = a.village_id", "v.name = '望江店'")).toBe(384);

  await record.getByRole("button", { name: "开业" }).click();
  await page.getByRole("dialog", { name: "开业" }).getByRole("button", { name: "确定" }).click();
  await page.getByText("请先配置收款账户").waitFor();
  // the browser notes the refused call itself
  expect(errors.filter((e) => !e.includes("409"))).toEqual([]);
});

test("two people change one store: the second is told, takes over what the first wrote, and keeps what he typed", async () => {
  const size = { width: 1440, height: 900 };
  const opened = async () => {
    const { page, errors } = await open({ as: head, size });
    await page.goto(`${base}/configuration/village?id=1`);
    await page.getByRole("button", { name: "编辑", exact: true }).click();
    return { page, errors, form: page.getByRole("dialog", { name: /^编辑 / }) };
  };
  const [first, second] = [await opened(), await opened()];
  await second.form.getByLabel("地址").waitFor();
  await first.form.getByLabel("联系电话").fill("0571-88005678");
  await first.form.getByRole("button", { name: "保存" }).click();
  await first.page.getByText("已保存").waitFor();

  await second.form.getByLabel("地址").fill("滨江区江南大道 588 号");
  await second.form.getByRole("button", { name: "保存" }).click();
  await second.form.getByText("数据已被他人修改，请刷新后重试").first().waitFor();
  await second.form.getByRole("button", { name: "载入最新数据" }).click();
  await second.form.getByText("他人修改了：联系电话").first().waitFor();
  await expect.poll(() => second.form.getByLabel("联系电话").inputValue()).toBe("0571-88005678");
  await expect.poll(() => second.form.getByLabel("地址").inputValue()).toBe("滨江区江南大道 588 号");
  await second.form.getByRole("button", { name: "保存" }).click();
  await second.page.getByText("已保存").waitFor();
  const stored = await house.database.db
    .selectFrom("village")
    .select(["address", "phone"])
    .where("id", "=", 1)
    .executeTakeFirstOrThrow();
  expect(stored).toEqual({ address: "滨江区江南大道 588 号", phone: "0571-88005678" });
  expect([...first.errors, ...second.errors].filter((e) => !e.includes("409"))).toEqual([]);
});

test("a spreadsheet with a mistake is told by row and column, corrected it is taken, and taken back", async () => {
  const { page, errors } = await open({ as: head, size: { width: 1440, height: 900 } });
  const [village] = await house.database.db.selectFrom("village").select("name").orderBy("id").execute();
  const rows = Array.from({ length: 30 }, (_, i) => ({ ...aRow(i, village!.name), building: "88栋" }));
  const send = async (name: string, of: typeof rows) =>
    page.locator(".imports__drop input").setInputFiles({
      name,
      mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      buffer: await aSheet(of),
    });
  await page.goto(`${base}/configuration/importRooms`);
  await page.getByText("还没有导入过房源").waitFor();
  await send("错误.xlsx", rows.with(15, { ...rows[15]!, innerArea: "三千" as never }));
  const batch = page.getByRole("dialog");
  await batch.getByText("共 1 处错误").waitFor();
  await expect
    .poll(() => batch.getByRole("row", { name: "17 O 套内面积 三千 面积格式不正确" }).count())
    .toBe(1);
  await batch.getByRole("button", { name: "关闭" }).click();

  await send("正确.xlsx", rows);
  await batch.getByText("30 套房源").waitFor();
  await batch.getByRole("button", { name: "确认导入" }).click();
  await page
    .getByRole("dialog", { name: "确认导入" })
    .getByRole("button", { name: "导入", exact: true })
    .click();
  await batch.getByText("查看房源列表").waitFor();
  expect(await count("apartment a join building b on b.id = a.building_id", "b.name = '88栋'")).toBe(30);
  await batch.getByRole("button", { name: "撤销导入" }).click();
  await page
    .getByRole("dialog", { name: "撤销导入" })
    .getByRole("button", { name: "撤销", exact: true })
    .click();
  await page.getByText("已撤销").first().waitFor();
  expect(await count("building", "name = '88栋'")).toBe(0);

  // of a file as long as may be what it makes is read to the last figure
  await house.database.pool.query(
    `update room_import set made = '{"buildings": 24, "units": 48, "floors": 864, "apartments": 10000, "rooms": 10000}'`,
  );
  await page.goto(`${base}/configuration/importRooms`);
  const made = page.getByText("24 / 48 / 864 / 10000 / 10000").first();
  await made.waitFor();
  expect(
    await made.evaluate((cell) => {
      const at = cell.closest("td")!;
      return at.scrollWidth <= at.clientWidth && cell.scrollWidth <= cell.clientWidth + 1;
    }),
  ).toBe(true);
  expect(errors).toEqual([]);
});
