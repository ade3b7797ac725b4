import { expect, test } from "vitest";
import { aRenter } from "../../domains/contract/contract/contract.sample.ts";
import { anAgentDesk, aDeal } from "../../domains/contract/contract/agent-deal.sample.ts";
import { clawEarly } from "../../domains/customer/commission/claw.service.ts";
import { acting } from "../../domains/listing/village/village.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { choose, DESK, PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const desk = await anAgentDesk(house, {
  village: "渠道店",
  permits: ["26.query", "26.get", "3.query", "3.get", "6.query", "15.get"],
});
const { db } = house.database;
const today = dayInZone(new Date());
const agents = `${base}/configuration/AgentManagement`;

test("a rule, an agency and an agent are entered; a contract earns 3,000.00, 1,500.00 goes back, the rest is billed", async () => {
  const { page, errors } = await open({ as: desk.keeper, size: { width: 1440, height: 900 } });
  const settled = settling(page);
  const pick = async (label: string, option: string | RegExp) => {
    const item = page
      .locator(".ant-select-dropdown:visible .ant-select-item-option")
      .filter({ hasText: option });
    await choose(
      () => page.getByRole("dialog").last().getByLabel(label, { exact: true }).click(),
      item.first(),
    );
  };
  await page.goto(`${agents}?tab=rule`);
  await settled();
  await page.getByRole("button", { name: "新增规则" }).click();
  const rule = page.getByRole("dialog", { name: "新增佣金规则" });
  await rule.getByLabel("规则名称").fill("机构佣金");
  // as it stands the whole first month's rent is paid, whatever the term
  await rule.getByText("12 个月 3,000.00").waitFor();
  await rule.getByRole("button", { name: "添加档位" }).click();
  await rule.getByRole("button", { name: "保存" }).click();
  await rule.locator(".fi--bad").first().waitFor();
  await rule.getByRole("button", { name: "移除第 2 行" }).click();
  await rule.getByLabel("扣回期").fill("90");
  await rule.getByRole("button", { name: "保存" }).click();
  await rule.waitFor({ state: "hidden" });
  await page.getByText("机构佣金").first().waitFor();

  // who was slower than a colleague goes on from what the colleague saved, with their own words kept
  const row = page.getByRole("row", { name: /机构佣金/ });
  await row.getByRole("button", { name: "编辑", exact: true }).click();
  const edited = page.getByRole("dialog", { name: "编辑规则 机构佣金" });
  await edited.getByLabel("签约后可付").fill("3");
  await house.database.pool.query(
    "update commission_rule set claw_days = 60, version = version + 1 where name = '机构佣金'",
  );
  await edited.getByRole("button", { name: "保存" }).click();
  await edited.getByRole("button", { name: "载入最新数据" }).click();
  await edited
    .getByText(/已载入最新数据，您填写的内容已保留/)
    .first()
    .waitFor();
  expect(await edited.getByLabel("扣回期").inputValue()).toBe("60");
  expect(await edited.getByLabel("签约后可付").inputValue()).toBe("3");
  await edited.getByLabel("签约后可付").fill("0");
  await edited.getByLabel("扣回期").fill("90");
  await edited.getByRole("button", { name: "保存" }).click();
  await edited.waitFor({ state: "hidden" });

  await page.goto(`${agents}?tab=agency`);
  await settled();
  await page.getByRole("button", { name: "新增机构" }).first().click();
  const agency = page.getByRole("dialog", { name: "新增机构" });
  await agency.getByLabel("机构名称").fill("梧桐里经纪");
  await agency.getByLabel("电话").fill("021-55667788");
  await pick("门店", /./);
  await page.keyboard.press("Escape");
  await agency.getByLabel("合作开始").fill(addDays(today, -30));
  await page.keyboard.press("Enter");
  await pick("佣金规则", "机构佣金");
  await agency.getByRole("button", { name: "保存" }).click();
  await agency.waitFor({ state: "hidden" });
  await page.getByText("梧桐里经纪").first().waitFor();

  await page.goto(agents);
  await settled();
  await page.getByRole("button", { name: "新增经纪人" }).first().click();
  const agent = page.getByRole("dialog", { name: "新增经纪人" });
  await agent.getByLabel("姓名").fill("罗子昂");
  await agent.getByLabel("电话").fill("13630009001");
  await pick("所属机构", "梧桐里经纪");
  await pick("门店", /./);
  await page.keyboard.press("Escape");
  await agent.getByRole("button", { name: "保存" }).click();
  await agent.waitFor({ state: "hidden" });
  const made = await db
    .selectFrom("agent")
    .select(["id", "agencyId"])
    .where("phone", "=", "13630009001")
    .executeTakeFirstOrThrow();
  expect(made.agencyId).not.toBeNull();

  const phone = "13799990001";
  const partyId = await aRenter(house, desk.villageId, { phone, name: "沈知夏" });
  const contractId = await aDeal(house, desk, {
    phone,
    partyId,
    roomId: desk.roomId,
    agentId: made.id,
    start: today,
    signedOn: today,
  });
  await acting(house, (act) => clawEarly(act, contractId, addDays(today, 44)), {
    villages: [desk.villageId],
  });

  await page.goto(`${agents}?tab=settle`);
  await settled();
  const grid = page.getByRole("table").first();
  await grid.getByText("−1,500.00").first().waitFor();
  await grid.getByRole("link", { name: "3,000.00" }).click();
  await page.getByText("3,000.00 × 100% = 3,000.00").waitFor();
  await page.keyboard.press("Escape");

  const boxes = grid.getByRole("checkbox");
  await boxes.first().check();
  await page.getByText(/已选 2 笔，共 1,500.00 元/).waitFor();
  await page.getByRole("button", { name: "生成佣金账单" }).first().click();
  const bill = page.getByRole("dialog", { name: "生成佣金账单" });
  await bill.getByText("梧桐里经纪").waitFor();
  await bill.getByRole("button", { name: "生成账单 1,500.00" }).click();
  await bill.waitFor({ state: "hidden" });
  await expect
    .poll(async () =>
      (
        await db
          .selectFrom("bill")
          .select(["direction", "outstanding"])
          .where("villageId", "=", desk.villageId)
          .where("source", "=", "cost")
          .execute()
      ).map((b) => [b.direction, b.outstanding]),
    )
    .toEqual([["payable", 150_000]]);
  await grid.getByText("结算中").first().waitFor();
  // whoever was slower than a colleague was refused once
  expect(errors.filter((text) => !text.includes("409 (Conflict)"))).toEqual([]);
});

test("a lead that an agent brought names him; the disabled are not offered", async () => {
  const { page, errors } = await open({ as: desk.keeper, size: DESK });
  const settled = settling(page);
  await page.goto(`${base}/configuration/BookingManagement`);
  await settled();
  await page.getByRole("button", { name: "新增客源" }).first().click();
  const form = page.getByRole("dialog", { name: "新增客源" });
  const option = (text: string | RegExp) =>
    page.locator(".ant-select-dropdown:visible .ant-select-item-option").filter({ hasText: text });
  await form.getByLabel("姓名").fill("许晴");
  await form.getByLabel("手机").fill("13799990002");
  await choose(() => form.getByLabel("来源", { exact: true }).click(), option("经纪人").first());
  await choose(() => form.getByLabel("意向门店", { exact: true }).click(), option(/./).first());
  await page.keyboard.press("Escape");
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("请选择经纪人").last().waitFor();
  await choose(() => form.getByLabel("经纪人", { exact: true }).click(), option("周启明").first());
  await form.getByRole("button", { name: "保存" }).click();
  await page.getByRole("dialog", { name: /^许晴 KY/ }).waitFor();
  await page
    .getByText(/经纪人 \/ 周启明/)
    .first()
    .waitFor();
  expect(errors).toEqual([]);
});

test("on a phone the tabs and cards stay within the screen", async () => {
  const { page, errors } = await open({ as: desk.keeper, size: PHONE });
  const settled = settling(page);
  for (const tab of ["agent", "agency", "rule", "settle"]) {
    await page.goto(`${agents}?tab=${tab}`);
    await settled();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, tab).toBeLessThanOrEqual(0);
  }
  expect(errors).toEqual([]);
});
