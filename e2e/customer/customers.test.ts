import { expect, test } from "vitest";
import { aPng, sendFile } from "../../domains/system/file/file.sample.ts";
import { choose, demoPerson, PHONE, settling, story } from "../browser.sample.ts";

const { house, open, base } = await story({ rooms: 120 });
const { pool } = house.database;

test("two tenants are picked from the list and written to; only they get it", async () => {
  const { page, errors } = await open({ as: await demoPerson(house, "dianzhang01") });
  const settled = settling(page);
  await page.goto(`${base}/configuration/RenterManage?stage=living`);
  const boxes = page.locator("tbody tr:not([aria-hidden]) .ant-checkbox-input");
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole("button", { name: "发消息" }).click();
  const form = page.getByRole("dialog", { name: "新增推送" });
  await form.getByRole("status").getByText("2 人", { exact: true }).waitFor();
  await form.getByLabel("标题").fill("领取快递");
  await form.getByLabel("推送内容").fill("{姓名}您好，请到前台领取快递。");
  await settled();
  await form.getByRole("button", { name: "保存草稿" }).click();
  const drawer = page.locator(".drawer").last();
  await drawer.getByText("租客，指定 2 人").waitFor();
  await drawer.getByRole("button", { name: "提交" }).click();
  await page.getByRole("dialog", { name: "提交推送" }).getByRole("button", { name: "提交" }).click();
  const sent = async () =>
    (
      await pool.query<{ state: string; n: number }>(
        "select t.state, (select count(*)::int from push_recipient r where r.task_id = t.id) n from push_task t order by id desc limit 1",
      )
    ).rows[0];
  await expect.poll(sent, { timeout: 20_000 }).toEqual({ state: "sent", n: 2 });
  expect(errors).toEqual([]);
});

test("a customer is put on the black list from the record and taken off again", async () => {
  const { page, errors } = await open({ as: await demoPerson(house, "dianzhang01") });
  const { rows } = await pool.query<{ id: number; name: string }>(
    `select p.id, p.name from party p join renter r on r.id = p.id join party_village w on w.party_id = p.id
     where w.village_id = 1 and r.merged_into_id is null
       and not exists (select from black_list b where b.phone = p.phone) order by p.id limit 1`,
  );
  const { id, name } = rows[0]!;
  await page.goto(`${base}/configuration/RenterManage?id=${id}`);
  const drawer = page.locator(".drawer").last();
  const act = async (label: string) => {
    const shown = drawer.getByRole("button", { name: label, exact: true });
    await drawer.getByRole("button", { name: "发消息" }).waitFor();
    if (await shown.count()) return shown.click();
    return choose(
      () => drawer.getByRole("button", { name: /^更多/ }).click(),
      page.getByRole("menuitem", { name: label, exact: true }),
    );
  };
  await act("加入黑名单");
  const form = page.getByRole("dialog", { name: `加入黑名单 ${name}` });
  await choose(
    () => form.getByLabel("原因").click(),
    page.locator(".ant-select-item-option").getByText("长期欠费", { exact: true }),
  );
  await form.getByLabel("说明").fill("退房后仍欠两个月租金");
  await form.getByRole("button", { name: "加入黑名单" }).click();
  await drawer.getByText("黑名单 · 禁止签约").waitFor();
  await act("黑名单记录");
  await page
    .getByRole("dialog", { name: `黑名单记录 ${name}` })
    .getByRole("button", { name: "解除" })
    .click();
  const lifting = page.getByRole("dialog", { name: `解除黑名单 ${name}` });
  await lifting.getByLabel("解除原因").fill("欠费已结清");
  await lifting.getByRole("button", { name: "解除" }).click();
  await drawer.getByText("黑名单 · 禁止签约").waitFor({ state: "detached" });
  expect(errors).toEqual([]);
});

test("a picture of a certificate is shown with the words of whoever looks at it", async () => {
  const chen = await demoPerson(house, "dianzhang01");
  const file = await sendFile(house, chen, { name: "正面.png", bytes: aPng({ width: 120, height: 80 }) });
  const { rows } = await pool.query<{ id: number; name: string }>(
    `update renter r set cert_front_file_id = $1 from party p where p.id = r.id and r.id = (
       select x.id from renter x join party_village w on w.party_id = x.id
       where w.village_id = 1 and x.merged_into_id is null order by x.id limit 1) returning r.id, p.name`,
    [file.body.data.id],
  );
  const { page, errors } = await open({ as: chen });
  await page.goto(`${base}/configuration/RenterManage?id=${rows[0]!.id}`);
  await page.getByRole("button", { name: "正面" }).click();
  const picture = page.getByRole("dialog", { name: `证件正面 ${rows[0]!.name}` }).locator("canvas");
  await picture.waitFor();
  // the file is of one colour; what is shown is not
  const colours = await picture.evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(Array.from({ length: data.length / 4 }, (_, i) => data.slice(i * 4, i * 4 + 3).join()))
      .size;
  });
  expect(colours).toBeGreaterThan(1);
  expect(errors).toEqual([]);
});

test("what a lead said is written where it is read; whoever has leads alone sees no other customers", async () => {
  const zhao = await demoPerson(house, "zulin01");
  const { rows } = await pool.query<{ id: number }>(
    "select id from lead where owner_id = $1 and state in ('new', 'following', 'viewed') order by id limit 1",
    [zhao.operatorId],
  );
  const { page, errors } = await open({ as: zhao, size: PHONE, theme: "dark" });
  await page.goto(`${base}/configuration/BookingManagement?tab=mine&id=${rows[0]!.id}`);
  const said = page.getByRole("form", { name: "写跟进" });
  await said.getByLabel("跟进内容").fill("周六带家人来看");
  await said.getByRole("button", { name: "记录跟进" }).click();
  await page.locator(".drawer").last().getByText("周六带家人来看").last().waitFor();
  await expect.poll(() => said.getByLabel("跟进内容").inputValue()).toBe("");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  expect(errors).toEqual([]);

  const consultant = await house.person({ permits: ["15.query", "15.get", "15.add"], villages: [1] });
  const alone = await open({ as: consultant });
  await alone.page.goto(`${base}/renter`);
  await alone.page.waitForURL("**/configuration/BookingManagement**");
  const menu = alone.page.getByRole("navigation").first();
  await menu.getByText("客源管理").waitFor();
  await expect.poll(() => menu.getByText("租客管理").count()).toBe(0);
  expect(alone.errors).toEqual([]);
});
