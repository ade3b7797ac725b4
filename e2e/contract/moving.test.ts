import { beforeEach, expect, test } from "vitest";
import { yuan } from "../../platform/kernel/fen.ts";
import { aPdf } from "../../domains/system/file/file.sample.ts";
import { choose, demoPerson, keepPicture, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 120 });
const { pool } = house.database;
const { page, errors } = await open({ as: await demoPerson(house, "dianzhang01") });
const settled = settling(page);
beforeEach(() => pictureOnFailure(() => page));

test("a clerk moves a tenant into another room: what was shown is what is booked", async () => {
  const { rows } = await pool.query<{ id: number; contractNo: string }>(
    `select c.id, c.contract_no "contractNo" from contract c join deposit_balance d on d.contract_id = c.id and d.kind = 'deposit'
     where c.state = 'effective' and c.kind = 'renter' and c.source <> 'import' and c.handover_on is not null and d.held > 100000
       and c.start_date < current_date - 60 and c.end_date > current_date + 90
       and (select count(*) from contract_room r where r.contract_id = c.id) = 1
       and c.village_id = any(array(select unnest(village_ids) from operator where account = 'dianzhang01'))
       and not exists (select from contract_act a where a.contract_id = c.id)
       and exists (select from room r join room_status_at(current_date, current_date, array[c.village_id]) s on s.room_id = r.id
         where s.occupancy = 'vacant' and s.condition = 'rentable' and s.next_kind is null and r.kind in ('whole', 'room'))
       and not exists (select from bill b where b.contract_id = c.id and b.outstanding > 0 and b.due_date < current_date)
       and not exists (select from bill b where b.contract_id = c.id and b.due_date <= current_date and b.period_start > current_date)
     order by c.id limit 1`,
  );
  const { id, contractNo } = rows[0]!;
  // from the contract's own drawer
  await page.goto(`${base}/contract/RenterContractPage?id=${id}`);
  const contract = page.getByRole("dialog", { name: contractNo });
  await choose(
    () => contract.getByRole("button", { name: "更多" }).click(),
    page.getByRole("menuitem", { name: "换房", exact: true }),
  );
  const ask = page.getByRole("dialog", { name: "新增换房" });
  await ask.getByText("押金在管").waitFor();
  await choose(
    () => ask.getByLabel("新房间", { exact: true }).click(),
    page.locator(".ant-select-item-option:visible").first(),
  );
  // the list price is proposed
  await expect.poll(() => ask.getByLabel("新月租", { exact: true }).inputValue()).toMatch(/^[\d,]+\.\d\d$/);
  // the field shows plain digits once it has the focus; only then they are replaced
  await ask.getByLabel("新月租", { exact: true }).click();
  await ask.getByLabel("新月租", { exact: true }).fill("5800.00");
  await ask.getByLabel("原因", { exact: true }).fill("租客希望换到朝南的房间");
  await settled();
  await ask.getByRole("button", { name: "下一步：试算" }).click();
  const submit = page.getByRole("dialog", { name: /^提交换房 HF/ });
  await submit.getByText("新合同账单", { exact: true }).waitFor();
  await settled();
  await keepPicture(page, "room-change");
  await submit.getByRole("button", { name: "提交", exact: true }).click();
  await submit.waitFor({ state: "hidden" });

  const row = page.getByRole("row").filter({ hasText: contractNo });
  await row.getByText("待签署", { exact: true }).waitFor();
  // the tenant, the room until then and the next one
  await row.locator('a[href*="/configuration/RenterManage?id="]').waitFor();
  expect(await row.locator('a[href*="/configuration/apartment?room="]').count()).toBe(2);
  await row.getByText(/^HF/).click();
  const drawer = page.locator(".drawer:visible").last();
  await drawer.getByRole("button", { name: "确认换房" }).click();
  const confirm = page.getByRole("dialog", { name: /^确认换房 HF/ });
  await confirm
    .locator("input[type=file]")
    .setInputFiles({ name: "补充协议.pdf", mimeType: "application/pdf", buffer: aPdf() });
  await confirm.getByRole("button", { name: "移除 补充协议.pdf" }).waitFor();
  await settled();
  await confirm.getByRole("button", { name: "确认换房" }).click();
  await confirm.waitFor({ state: "hidden" });
  await drawer.getByText("已完成", { exact: true }).first().waitFor();

  const { rows: after } = await pool.query<{
    state: string;
    next: string;
    due: number;
    owed: number;
    rooms: string;
  }>(
    `select c.state, n.state next, m.at_signing - m.credit_used due,
       (select coalesce(sum(outstanding), 0)::bigint from bill where contract_id = n.id and due_date <= current_date) owed,
       (select count(distinct room_id) from occupancy_row where contract_id in (c.id, n.id)) rooms
     from contract c join contract_act a on a.contract_id = c.id join contract n on n.id = a.result_contract_id
     join change_money m on m.act_id = a.id where c.id = $1`,
    [id],
  );
  const [done] = after;
  expect(done).toMatchObject({ state: "changedRoom", next: "effective", rooms: 2 });
  expect(done!.due).toBeGreaterThan(0);
  expect(done!.owed).toBe(done!.due);
  await drawer.getByText(yuan(done!.due)).first().waitFor();
  // the old room up to the day before, the new one from the day on
  await drawer.getByRole("tab", { name: "房间占用" }).click();
  await expect.poll(() => drawer.getByRole("img", { name: new RegExp(contractNo) }).count()).toBe(1);
  expect(errors).toEqual([]);
});
