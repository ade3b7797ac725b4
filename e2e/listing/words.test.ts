import { expect, test } from "vitest";
import { sheetBytes } from "../../domains/system/import/import.sample.ts";
import { choose, DESK, PHONE, demoPerson, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 120 });
const { db } = house.database;
const admin = await demoPerson(house, "admin2026");
const tag = (name: string) =>
  db
    .selectFrom("dicItem")
    .select(["name", "enabled", "colour"])
    .where("kind", "=", "house")
    .where("groupKey", "=", "roomTag")
    .where("name", "=", name)
    .executeTakeFirst();

test("words are changed in their row, switched off, brought by a spreadsheet and taken back", async () => {
  const { page, errors } = await open({ as: admin, size: DESK });
  const settled = settling(page);
  await page.goto(`${base}/configuration/houseDic?group=roomTag`);
  await settled();
  const name = page.getByRole("button", { name: "修改名称 近电梯" });
  await name.click();
  await page.getByRole("textbox", { name: "名称", exact: true }).fill("写错了");
  await page.keyboard.press("Escape");
  await name.waitFor();
  // the keyboard goes on at the word
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "名称", exact: true }).fill("临电梯");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "修改名称 临电梯" }).waitFor();
  await page.getByRole("switch", { name: "停用 临电梯" }).click();
  await page.getByRole("switch", { name: "启用 临电梯" }).waitFor();
  await expect.poll(() => tag("临电梯")).toMatchObject({ enabled: false });

  await page.getByRole("button", { name: "导入", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "导入字典项" });
  const bring = async (lines: Record<string, string>[]) =>
    dialog.locator("input[type=file]").setInputFiles({
      name: "字典项.xlsx",
      mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      buffer: await sheetBytes("字典项", lines),
    });
  await bring([{ 分组: "房间标签", 名称: "临湖", 颜色: "翠" }]);
  await dialog.getByText("共 1 行，1 处错误").waitFor();
  await bring([{ 分组: "房间标签", 名称: "临湖", 颜色: "绿" }]);
  await dialog.getByRole("button", { name: "确认导入 1 行" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "修改名称 临湖" }).waitFor();
  expect(await tag("临湖")).toMatchObject({ colour: "green" });
  await page.getByRole("button", { name: "导入", exact: true }).click();
  await dialog.getByRole("tab", { name: "导入记录" }).click();
  await dialog.getByRole("button", { name: "撤销导入" }).click();
  const sure = page.getByRole("dialog", { name: "撤销导入" });
  await sure.getByText(/将删除 DZ\d{8}-\d{6} 导入的 1 个字典项/).waitFor();
  await sure.getByRole("button", { name: "撤销" }).click();
  await dialog.getByText("已撤销").waitFor();
  await expect.poll(() => tag("临湖")).toBeUndefined();
  expect(errors).toEqual([]);
});

test("a count leads to the rooms behind it; facilities and assets stand beside the words", async () => {
  const { page, errors } = await open({ as: admin, size: DESK });
  await page.goto(`${base}/configuration/houseDic?group=orientation`);
  const row = page.getByRole("row", { name: /修改名称 南 / });
  const count = row.getByRole("link", { name: /间$/ });
  const rooms = Number((await count.innerText()).replace(/\D/g, ""));
  await count.click();
  await page.getByText(`共 ${rooms} 条`).waitFor();
  await page.goto(`${base}/configuration/houseDic`);
  await page.getByRole("tab", { name: "设施" }).click();
  await page.getByRole("button", { name: "新增房间设施" }).waitFor();
  await page.getByRole("tab", { name: "资产" }).click();
  await page.getByRole("button", { name: "新增资产类别" }).waitFor();
  expect(errors).toEqual([]);
});

test("the codes of rooms and areas come as a file, also on a phone", async () => {
  const { page, errors } = await open({ as: admin, size: DESK });
  const settled = settling(page);
  await page.goto(`${base}/configuration/ApartmentManage?view=room`);
  await settled();
  const boxes = page.getByRole("table").first().getByRole("checkbox");
  await boxes.nth(1).check();
  await boxes.nth(2).check();
  const file = page.waitForEvent("download");
  const more = page.getByRole("button", { name: "更多操作" }).first();
  await choose(() => more.click(), page.getByRole("menuitem", { name: /^二维码/ }));
  expect((await file).suggestedFilename()).toBe("房间二维码_2个.pdf");
  expect(errors).toEqual([]);

  const phone = await open({ as: admin, size: PHONE });
  const { id } = await db.selectFrom("publicArea").select("id").orderBy("id").executeTakeFirstOrThrow();
  await phone.page.goto(`${base}/configuration/addPublicArea?id=${id}`);
  const record = phone.page.getByRole("dialog").first();
  const one = phone.page.waitForEvent("download");
  const code = phone.page.getByText("二维码", { exact: true }).last();
  await record.getByRole("button", { name: "编辑", exact: true }).first().waitFor();
  if (await code.isVisible()) await code.click();
  else await choose(() => record.getByRole("button", { name: "更多操作" }).click(), code);
  expect((await one).suggestedFilename()).toBe("公共区域二维码_1个.pdf");
  expect(phone.errors).toEqual([]);
});
