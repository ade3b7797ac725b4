import { expect, test } from "vitest";
import { faultsInBoth } from "../axe.sample.ts";
import { choose, demoPerson, PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 240 });
const head = await demoPerson(house, "qinghe01");
const PAGE = `${base}/configuration/ApartmentSync`;
const origin = base.replace(/\/sams$/, "");
const one = async <T>(text: string, values: unknown[] = []) =>
  (await house.database.pool.query<{ value: T }>(text, values)).rows[0]?.value;

test("a channel is added, its feed shows what is vacant, a room held back leaves it, an enquiry becomes a lead", async () => {
  const { page, errors } = await open({ as: head, size: { width: 1440, height: 900 } });
  const settled = settling(page);
  await page.goto(`${PAGE}?tab=channels`);
  await page.getByRole("button", { name: "新增渠道" }).click();
  const form = page.getByRole("dialog", { name: "新增渠道" });
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("请选择门店").first().waitFor();
  await form.getByLabel("渠道名称").fill("小程序找房");
  await form.getByLabel("最少图片").fill("0");
  const vacancy = await one<string>(
    `select v.name value from room_status_at(current_date, current_date, array(select id from village)) s
     join village v on v.id = s.village_id where s.occupancy = 'vacant' and s.condition = 'rentable' and v.state = 'open'
     group by v.id having count(*) > 1 order by count(*) desc, v.id limit 1`,
  );
  const store = page.locator(".ant-select-item-option", { hasText: vacancy }).first();
  // the list is longer than what is shown of it
  await choose(() => form.getByRole("combobox", { name: "门店" }).fill(vacancy!), store);
  await form.getByLabel("渠道名称").click();
  await form.getByRole("radio", { name: "映射" }).click();
  await form
    .getByText(/^未映射 \d+ 项$/)
    .first()
    .waitFor();
  await form.getByRole("button", { name: "保存" }).click();
  await form.waitFor({ state: "detached" });

  const record = page.getByRole("dialog", { name: "小程序找房" });
  const shown = await record.locator("code").first().innerText();
  const path = /\/room\/api\/v3\/feed\/[\w-]+\.json$/.exec(shown)![0];
  const total = async () => ((await (await fetch(origin + path)).json()) as { total: number }).total;
  await expect.poll(total, { timeout: 30_000 }).toBeGreaterThan(0);
  const before = await total();
  const xml = await (await fetch(origin + path.replace(".json", ".xml"))).text();
  expect(xml).toContain(`<total>${before}</total>`);

  await page.goto(`${PAGE}?state=online&keyword=`);
  await settled();
  const row = page.locator("tbody tr", { hasText: "小程序找房" }).first();
  const name = await row.locator("a").first().innerText();
  await row.getByRole("button", { name: "暂不发布" }).click();
  const hold = page.getByRole("dialog", { name: `暂不发布 ${name}` });
  await hold.getByLabel("原因").fill("业主自住");
  await hold.getByRole("button", { name: "暂不发布" }).click();
  await hold.waitFor({ state: "detached" });
  await expect.poll(total).toBe(before - 1);

  const roomId = await one<number>(
    `select l.room_id::int value from listing l join channel c on c.id = l.channel_id
     where c.name = '小程序找房' and l.state = 'online' order by l.id limit 1`,
  );
  const asked = { outsideId: "W-1", roomId, name: "林小雨", phone: "13911112222", message: "周六能看房吗" };
  for (let i = 0; i < 2; i++) {
    const answer = await fetch(`${origin}${path.replace(".json", "")}/lead`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(asked),
    });
    expect(answer.status).toBe(200);
  }
  await expect
    .poll(() => one<number>("select count(*)::int value from lead where phone = '13911112222'"), {
      timeout: 30_000,
    })
    .toBe(1);
  await page.goto(`${PAGE}?tab=enquiries`);
  await page.getByText("周六能看房吗").waitFor();
  await page.getByRole("link", { name: /^KY/ }).first().waitFor();

  // the room's own drawer says where it stands, and lets it go again
  const held = await one<number>("select id::int value from room where publish_hold");
  await page.goto(`${base}/configuration/ApartmentManage?view=room&id=${held}&part=listings`);
  await page.getByText("暂不发布：业主自住").first().waitFor();
  await page.getByRole("tabpanel").last().getByRole("button", { name: "发布", exact: true }).click();
  await expect.poll(total).toBe(before);
  expect(errors).toEqual([]);
});

test("the other tabs, a listing, a channel and its form can be read by everybody, light and dark", async () => {
  const { page } = await open({ as: head, theme: "system" });
  const settled = settling(page);
  const read = async (what: string) => {
    await settled();
    expect(await faultsInBoth(page), what).toEqual([]);
  };
  // the first is read with every screen
  for (const tab of ["channels", "events", "enquiries"]) {
    await page.goto(`${PAGE}?tab=${tab}`);
    await read(tab);
  }
  await page.goto(`${PAGE}?id=${await one<number>("select min(id)::int value from listing")}`);
  await page.getByText("渠道预览").waitFor();
  await read("a listing");
  await page.goto(`${PAGE}?tab=channels&id=${await one<number>("select min(id)::int value from channel")}`);
  await page.getByText("JSON 地址").waitFor();
  await read("a channel");
  await page.getByRole("dialog").first().getByRole("button", { name: "编辑", exact: true }).click();
  const form = page.getByRole("dialog", { name: /^编辑渠道/ });
  await form.waitFor();
  await read("the form of a channel");
  await form.getByRole("radio", { name: "映射" }).click();
  await form
    .getByText(/^未映射 \d+ 项$/)
    .first()
    .waitFor();
  await read("its names outside");
});

test("on a phone, the listings, the channels and the log are cards", async () => {
  const { page, errors } = await open({ as: head, size: PHONE, theme: "dark" });
  for (const tab of ["listings", "channels", "events", "enquiries"]) {
    await page.goto(`${PAGE}?tab=${tab}`);
    await page.getByRole("tab", { selected: true }).first().waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, tab).toBeLessThanOrEqual(0);
  }
  expect(errors).toEqual([]);
});
