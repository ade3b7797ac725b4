import { expect, test } from "vitest";
import { aPng } from "../../domains/system/file/file.sample.ts";
import { creditCheckCharacter } from "../../platform/kernel/texts/certificate.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { faultsInBoth } from "../axe.sample.ts";
import { choose, DESK, demoPerson, moveTo, PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 120 });
const manager = await demoPerson(house, "dianzhang01");
const { db } = house.database;

const aCode = (n: number) => {
  const first17 = `91330108MA7${String(n).padStart(6, "0")}`;
  return first17 + creditCheckCharacter(first17);
};

test("a company is registered, gets its credit, its title and a second contact, and is found again by its code", async () => {
  const { page, errors } = await open({ as: manager, size: DESK });
  const settled = settling(page);
  const shown = page.locator(".ant-select-dropdown:not(.ant-select-dropdown-hidden)");
  const village = (await db.selectFrom("village").select("name").orderBy("id").execute())[0]!;
  const creditCode = aCode(1);
  await page.goto(`${base}/configuration/CompanyManagement?action=1`);
  const form = page.getByRole("dialog", { name: "新增企业" });
  await form.getByLabel("信用代码").fill(creditCode.replace(/.$/, "O"));
  await form.getByLabel("企业名称").fill(" 青山测绘有限公司");
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("统一社会信用代码格式不正确").waitFor();
  await form.getByText("企业名称不能以空格开头或结尾").waitFor();
  await form.getByLabel("信用代码").fill(creditCode);
  await form.getByLabel("企业名称").fill("青山测绘有限公司");
  await choose(() => form.getByLabel("登记门店").click(), shown.getByTitle(village.name, { exact: true }));
  await choose(() => form.getByLabel("客户经理").click(), shown.getByTitle("陈嘉禾", { exact: true }));
  await form.getByLabel("姓名").fill("沈文博");
  await form.getByLabel("电话").fill("13612345678");
  await form.getByRole("button", { name: "保存" }).click();
  await page.getByText("企业客户已登记").waitFor();

  const record = page.getByRole("dialog", { name: "青山测绘有限公司", exact: true });
  await record.getByText("136****5678").first().waitFor();
  await record.getByRole("button", { name: "账期与授信" }).click();
  const credit = page.getByRole("dialog", { name: "账期与授信 青山测绘有限公司" });
  await credit.getByLabel("账期").fill("30");
  await credit.getByLabel("授信额度").fill("20000");
  await credit.getByText("剩余 20,000.00 元").waitFor();
  await credit.getByLabel("原因").fill("年度框架合作");
  await credit.getByRole("button", { name: "保存" }).click();
  await page.getByText("账期与授信已调整").waitFor();
  await record.getByText("20,000.00 元").waitFor();

  await record.getByRole("tab", { name: "发票抬头" }).click();
  await record.getByRole("button", { name: "新增抬头" }).click();
  const title = page.getByRole("dialog", { name: "新增发票抬头" });
  // name and number come from the record
  await expect.poll(() => title.getByLabel("税号").inputValue()).toBe(creditCode);
  await title.getByRole("button", { name: "保存" }).click();
  await page.getByText("抬头已新增").waitFor();
  await record.getByRole("tab", { name: "联系人" }).click();
  await record.getByRole("button", { name: "新增联系人" }).click();
  const contact = page.getByRole("dialog", { name: "新增联系人" });
  await contact.getByLabel("姓名").fill("姚清");
  await contact.getByLabel("电话").fill("0571-86801234");
  await contact.getByRole("button", { name: "保存" }).click();
  await record.getByText("姚清").waitFor();
  await record.getByRole("tab", { name: "日志" }).click();
  await record.getByText("调整账期与授信额度：年度框架合作").waitFor();

  // the same code again offers the record instead of a second one
  await page.goto(`${base}/configuration/CompanyManagement?action=1`);
  await form.getByLabel("信用代码").fill(creditCode);
  await form.getByText("统一社会信用代码已登记：青山测绘有限公司").waitFor();
  await form.getByRole("link", { name: "打开该企业" }).click();
  await record.waitFor();
  await settled();
  expect(errors).toEqual([]);
});

test("the statement of a company says what its bills say, as a table and as a paper", async () => {
  const { page, errors } = await open({ as: manager, size: DESK });
  const [company] = (
    await house.database.pool.query<{ id: number; name: string; owed: string }>(
      `select p.id, p.name, to_char(sum(b.outstanding) / 100.0, 'FM999,999,990.00') owed
       from bill b join party p on p.id = b.party_id where p.kind = 'company' and b.issued_at is not null
         and b.due_date <= (date_trunc('month', now() at time zone 'Asia/Shanghai') + interval '1 month - 1 day')::date
       group by p.id order by p.id limit 1`,
    )
  ).rows;
  await page.goto(`${base}/configuration/CompanyManagement?id=${company!.id}&part=statement`);
  const record = page.getByRole("dialog", { name: company!.name, exact: true });
  const closing = record.locator(".strip > div", { hasText: "期末欠款" });
  await closing.getByText(company!.owed).waitFor();
  const file = page.waitForEvent("download");
  await record.getByRole("button", { name: "PDF" }).click();
  expect((await file).suggestedFilename()).toContain(`对账单_${company!.name}`);

  // whom it reaches is said before it goes, and pressing again the same day sends nothing twice
  await db
    .updateTable("partyContact")
    .set({ email: "caiwu@example.com", getsBills: true })
    .where("partyId", "=", company!.id)
    .where("main", "=", true)
    .execute();
  const mail = page.getByRole("dialog", { name: "邮件发送对账单" });
  await record.getByRole("button", { name: "邮件发送" }).click();
  await mail.getByText("caiwu@example.com").waitFor();
  await mail.getByText("邮件未接入服务商，仅记录在发件箱，不会实际发出").waitFor();
  await mail.getByRole("button", { name: "发送", exact: true }).click();
  await page.getByText(/^对账单已发送给 \d 个邮箱$/).waitFor();
  await mail.waitFor({ state: "detached" });
  await record.getByRole("button", { name: "邮件发送" }).click();
  await mail.getByText("caiwu@example.com").waitFor();
  await mail.getByRole("button", { name: "发送", exact: true }).click();
  await page.getByText("今天已发送过同一份对账单，没有重复发送").waitFor();
  await record.getByRole("tab", { name: "房间与入住人" }).click();
  await record.getByRole("columnheader", { name: "已住 / 可住" }).waitFor();
  expect(errors).toEqual([]);
});

test("two records of one merchant become one, with what comes along said first; also on a phone", async () => {
  const { page, errors } = await open({ as: manager, size: DESK });
  const [village] = await db.selectFrom("village").select("id").orderBy("id").execute();
  const { addMerchant } = await import("../../domains/customer/merchant/merchant.contract.ts");
  const ids = [];
  for (const [i, name] of ["南桥面馆", "南桥面馆（重复）"].entries()) {
    const body = {
      subject: "company" as const,
      name,
      creditCode: aCode(10 + i),
      category: "餐饮",
      homeVillageId: village!.id,
      contacts: [{ name: "戴师傅", phone: `1381234567${i}`, main: true }],
    };
    ids.push((await house.did(addMerchant, { as: manager }, { body })).id);
  }
  await page.goto(`${base}/configuration/MerchantManage?id=${ids[0]}`);
  const record = page.getByRole("dialog", { name: "南桥面馆", exact: true });
  await record.getByRole("button", { name: "合并" }).click();
  const merge = page.getByRole("dialog", { name: "合并商户" });
  const other = merge.getByRole("combobox");
  await choose(
    () => other.fill("南桥"),
    page.locator(".ant-select-item-option", { hasText: "南桥面馆（重复）" }),
  );
  await merge.getByText("合同 0 份、账单 0 笔").waitFor();
  await merge.getByLabel("合并原因").fill("重复登记");
  await merge.getByRole("button", { name: "合并", exact: true }).click();
  await page.getByText("已并入本记录：南桥面馆（重复）").waitFor();
  expect(errors).toEqual([]);

  // a paper that ends soon is something to do
  await record.getByRole("tab", { name: "附件" }).click();
  await record.getByRole("button", { name: "上传附件" }).click();
  const paper = page.getByRole("dialog", { name: "上传附件" });
  await paper
    .locator("input[type=file]")
    .setInputFiles({ name: "执照.png", mimeType: "image/png", buffer: aPng() });
  await paper.getByRole("button", { name: "移除 执照.png" }).waitFor();
  await paper.getByLabel("有效期至").fill(addDays(dayInZone(new Date()), 10));
  await page.keyboard.press("Tab");
  await paper.getByRole("button", { name: "上传", exact: true }).click();
  await page.getByText("附件已上传").waitFor();
  await record.getByText("待办：证照即将到期").waitFor();
  expect(errors).toEqual([]);

  const phone = await open({ as: manager, size: PHONE, theme: "dark" });
  await phone.page.goto(`${base}/configuration/MerchantManage?keyword=${encodeURIComponent("戴师傅")}`);
  await phone.page.getByText("南桥面馆").first().waitFor();
  await expect.poll(() => phone.page.getByText("南桥面馆（重复）").count()).toBe(0);
  expect(phone.errors).toEqual([]);
});

test("records and forms of firms can be read and used, light and dark", async () => {
  const { page, errors } = await open({ as: manager, theme: "system" });
  const settled = settling(page);
  const [company] = await db.selectFrom("company").select("id").orderBy("id").execute();
  const [merchant] = await db.selectFrom("merchant").select("id").orderBy("id").execute();
  const places = [
    [`/configuration/CompanyManagement?id=${company!.id}&part=statement`, "期末欠款"],
    [`/configuration/CompanyManagement?id=${company!.id}&part=rooms`, "已住 / 可住"],
    [`/configuration/CompanyManagement?id=${company!.id}&part=contacts`, "新增联系人"],
    ["/configuration/CompanyManagement?action=1", "添加联系人"],
    [`/configuration/MerchantManage?id=${merchant!.id}&part=papers`, "上传附件"],
    ["/configuration/MerchantManage?action=1", "添加联系人"],
  ] as const;
  const faults: string[] = [];
  await page.goto(`${base}/workbench/WorkbenchPage`);
  for (const [place, sign] of places) {
    await moveTo(page, place);
    await page.getByText(sign).filter({ visible: true }).first().waitFor();
    await settled();
    faults.push(...(await faultsInBoth(page)).map((fault) => `${place} ${fault}`));
  }
  expect(faults).toEqual([]);
  expect(errors).toEqual([]);
});

test("what a merged customer still owes is found under the name that was kept, and is paid", async () => {
  const { page, errors } = await open({ as: manager, size: DESK });
  const { rows } = await house.database.pool.query<{ id: number; name: string }>(
    `select p.id, p.name from party p join renter r on r.id = p.id where r.merged_into_id is null
       and exists (select from bill b where b.party_id = p.id and b.outstanding > 0 and b.issued_at is not null
         and b.village_id = any($1)) order by p.id limit 2`,
    [(await db.selectFrom("village").select("id").execute()).map((v) => v.id)],
  );
  const [kept, gone] = rows;
  await house.database.pool.query("update renter set merged_into_id = $1 where id = $2", [
    kept!.id,
    gone!.id,
  ]);
  await page.goto(`${base}/accountManage/addBillFlow`);
  const label = `${gone!.name}（已并入${kept!.name}）`;
  await page.locator(".counter__find input").fill(kept!.name);
  const shown = page.locator(".ant-select-dropdown:not(.ant-select-dropdown-hidden)");
  await shown.getByText(label).click();
  await page.locator(".counter__who").getByText(`已并入${kept!.name}`, { exact: true }).waitFor();
  await page.getByRole("radio", { name: "现金" }).click();
  const take = page.getByRole("button", { name: /^确认收款/ });
  await expect.poll(() => take.isEnabled()).toBe(true);
  await take.click();
  await page.getByText("已收款").first().waitFor();
  const flows = await house.database.pool.query<{ n: number }>(
    "select count(*)::int n from flow where party_id = $1 and state = 'confirmed' and created_at > now() - interval '5 minutes'",
    [gone!.id],
  );
  expect(flows.rows).toEqual([{ n: 1 }]);
  expect(errors).toEqual([]);
});
