import { beforeEach, expect, test } from "vitest";
import { aForm, aRenter, aShop, signed } from "../../domains/contract/contract/contract.sample.ts";
import { amendActs, supplementFile } from "../../domains/contract/amendment/amendment.contract.ts";
import { textOfPdf } from "../../domains/contract/paper/paper.sample.ts";
import { LEGAL } from "../../domains/contract/template-list/template.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const today = dayInZone(new Date());
const shop = await aShop(house, { permits: [...LEGAL, "#903"], village: "云溪店" });
const { page, errors } = await open({ as: shop.clerk, size: { width: 1280, height: 900 } });
const settled = settling(page);
beforeEach(() => pictureOnFailure(() => page));

test("a template of supplements is written and published, and the next change's paper carries its words", async () => {
  await page.goto(`${base}/system/TemplateManage`);
  await page.getByRole("button", { name: "新增模板" }).first().click();
  const add = page.getByRole("dialog", { name: "新增模板" });
  await add.getByLabel("编码", { exact: true }).fill("BC-YX");
  await add.getByLabel("名称", { exact: true }).fill("云溪店补充协议");
  // a contract's own kind is asked for nowhere, a supplement's is
  await add.getByLabel("文件类型", { exact: true }).click();
  await page.locator(".ant-select-item-option:visible", { hasText: "补充协议" }).click();
  await add.getByLabel("合同类型", { exact: true }).waitFor();
  await add.getByLabel("门店", { exact: true }).click();
  await page.locator(".ant-select-item-option:visible", { hasText: "云溪店" }).click();
  await page.keyboard.press("Escape");
  await add.getByRole("button", { name: "新增并编辑" }).click();

  const paper = page.getByRole("textbox", { name: "正文" });
  await paper.getByText("第三条 其他").waitFor();
  const palette = page.getByRole("region", { name: "变更", exact: true });
  await paper.getByText("未约定的，仍按原合同执行").click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("变更原因：");
  await palette.getByRole("button", { name: "变更原因" }).click();
  await page.getByRole("button", { name: "保存草稿" }).click();
  await page.getByText("已保存草稿，发布后生效").waitFor();
  const line = page.getByRole("row", { name: /BC-YX/ });
  await line.getByText("云溪店补充协议").click();
  await page.getByRole("button", { name: "发布", exact: true }).click();
  await page.getByRole("dialog", { name: /^发布/ }).getByRole("button", { name: "发布" }).click();
  await line.getByText("第 1 版").waitFor();
  await settled();
  await page.setViewportSize(PHONE);
  await page.getByText("云溪店补充协议").first().waitFor();
  expect(errors).toEqual([]);

  const partyId = await aRenter(house, shop.villageId, { name: "沈书瑶" });
  const contract = await signed(
    house,
    shop.clerk,
    aForm({ ...shop, partyId }, { start: addDays(today, -10) }),
    today,
  );
  const draft = { effectiveOn: today, reason: "配套设施减少", rises: [{ fromDate: today, rent: 330_000 }] };
  const asked = { body: { contractId: contract.id, ...draft } as never };
  const { id } = await house.did(amendActs.ask, { as: shop.clerk }, asked);
  const { raw } = await house.ask(supplementFile, { as: shop.clerk }, { params: { id } });
  const text = textOfPdf(raw).replaceAll("\n", "");
  expect(text).toContain("变更原因：配套设施减少");
  expect(text).toContain("沈书瑶");
});
