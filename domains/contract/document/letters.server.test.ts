import { beforeAll, expect, test } from "vitest";
import { pagesIn } from "../../../platform/server/pdf/pdf-append.ts";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import {
  aBill,
  aContract,
  aLine,
  aNewBill,
  aParty,
  aStore,
  type Store,
} from "../../finance/bill/bill.sample.ts";
import { makeBills } from "../../finance/bill/bill.service.ts";
import { previewRemind } from "../../finance/checkout/remind.contract.ts";
import { previewLetters, printLetters } from "../../finance/checkout/letter.contract.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { dunningLetter } from "./document.contract.ts";

const house = await testHouse();
house.setClock("2026-03-20T10:00:00+08:00");
let store: Store, clerk: Person, zhang: number, li: number, zhangs: number, lis: number;
const NO = { zhang: "HT20260101-000901", li: "HT20260101-000902" };
const late = { zhang: 0, zhangWater: 0, li: 0 };

beforeAll(async () => {
  store = await aStore(house);
  const { villageId } = store;
  clerk = await house.person({ permits: ["9.get"], villages: [villageId] });
  zhang = await aParty(house, "张晓明", { villageId });
  li = await aParty(house, "李思远", { villageId });
  zhangs = await aContract(house, store, zhang, { no: NO.zhang });
  lis = await aContract(house, store, li, { no: NO.li });
  late.zhang = await aBill(house, store, zhang, { contractId: zhangs });
  late.zhangWater = await aBill(house, store, zhang, {
    contractId: zhangs,
    dueDate: "2026-03-10",
    lines: [aLine("property", 12_300)],
  });
  late.li = await aBill(house, store, li, { contractId: lis, lines: [aLine("rent", 456_700)] });
});

const asked = (body: object, as = clerk) => house.ask(printLetters, { as }, { body: body as never });
const refused = async (body: object, as = clerk) => {
  const answer = await asked(body, as);
  return `${answer.status} ${answer.body.message}`;
};
async function printed(body: object) {
  const { status, raw } = await asked(body);
  expect(status).toBe(200);
  return { text: textOfPdf(raw).replaceAll("\n", ""), pages: await pagesIn(raw) };
}

test("each contract of the chosen bills gets its letter, in their order, as the single one says it", async () => {
  const billIds = [late.li, late.zhangWater, late.zhang];
  expect(await house.did(previewLetters, { as: clerk }, { body: { billIds } })).toMatchObject({
    letters: [
      { contractNo: NO.li, partyName: "李思远", bills: 1, amount: 456_700, since: "2026-03-01" },
      { contractNo: NO.zhang, partyName: "张晓明", bills: 2, amount: 312_300, since: "2026-03-01" },
    ],
    leftOut: [],
  });
  const { text, pages } = await printed({ billIds });
  expect(pages).toBe(2);
  expect(text.match(/第 1 \/ 1 页/g)).toHaveLength(2);
  for (const said of ["李思远", "4,567.00", "张晓明", "3,123.00", "有 2 笔账单逾期未付"])
    expect(text).toContain(said);
  expect(text.indexOf("李思远")).toBeLessThan(text.indexOf("张晓明"));
  for (const id of [lis, zhangs]) {
    const { raw } = await house.ask(dunningLetter, { as: clerk }, { params: { id } });
    expect(text).toContain(textOfPdf(raw).replaceAll("\n", ""));
  }
  // one bill of a contract brings the whole letter of it
  const one = await printed({ billIds: [late.zhangWater] });
  expect(one.pages).toBe(1);
  expect(one.text).toContain("3,123.00");
});

test("a letter of several pages counts its own, and the next one begins on a new page", async () => {
  const wang = await aParty(house, "王若兰", { villageId: store.villageId });
  const contractId = await aContract(house, store, wang, { no: "HT20260101-000903" });
  const [first] = await acting(house, (act) =>
    makeBills(
      act,
      Array.from({ length: 60 }, () => aNewBill(store, wang, { contractId })),
    ),
  );
  const { text, pages } = await printed({ billIds: [first!.id, late.li] });
  const own = pages - 1;
  expect(own).toBeGreaterThan(1);
  for (let page = 1; page <= own; page++) expect(text).toContain(`第 ${page} / ${own} 页`);
  expect(text).toContain("180,000.00");
  expect(text).toMatch(/第 1 \/ 1 页$|第 1 \/ 1 页HT/);
});

test("bills that need no letter are left out with the reason; where none is left it is refused", async () => {
  const zhao = await aParty(house, "赵子墨", { villageId: store.villageId });
  const contractId = await aContract(house, store, zhao, { no: "HT20260101-000904" });
  const today = await aBill(house, store, zhao, { contractId, dueDate: "2026-03-20" });
  const paid = await aBill(house, store, zhao, { contractId });
  await take(house, store, await someAccounts(house, store), zhao, {
    amount: 300_000,
    paidAt: "2026-03-02T10:00:00+08:00",
    bills: [paid],
  });
  const loose = await aBill(house, store, zhao);
  const voided = await aBill(house, store, zhao, { contractId });
  await house.database.pool.query("update bill set voided_at = now() where id = $1", [voided]);
  const plan = await aBill(house, store, zhao, { contractId, dueDate: "2026-12-01" });
  const needless = [today, paid, loose, voided, plan];
  const { letters, leftOut } = await house.did(
    previewLetters,
    { as: clerk },
    { body: { billIds: [...needless, late.li] } },
  );
  expect(letters.map((l) => l.contractNo)).toEqual([NO.li]);
  expect(leftOut.map((l) => [l.billId, l.why])).toEqual([
    [today, "账单未逾期"],
    [paid, "账单没有未收金额"],
    [loose, "账单没有合同，不能出具催缴函"],
    [voided, "账单已作废"],
    [plan, "账单未出账"],
  ]);
  const { text, pages } = await printed({ billIds: [...needless, late.li] });
  expect(pages).toBe(1);
  expect(text).not.toContain("赵子墨");
  expect(await refused({ billIds: [today, paid, voided] })).toBe(
    "409 没有可以出具的催缴函：账单未逾期 1 笔，账单没有未收金额 1 笔，账单已作废 1 笔",
  );
  // a day later the first is late
  house.setClock("2026-03-21T10:00:00+08:00");
  expect((await printed({ billIds: [today] })).text).toContain("已逾期 1 天");
  house.setClock("2026-03-20T10:00:00+08:00");
});

test("what is disputed is in no letter, as it is in no message", async () => {
  const zheng = await aParty(house, "郑书妍", { villageId: store.villageId, phone: "13900003333" });
  const contractId = await aContract(house, store, zheng, { no: "HT20260101-000906" });
  const rent = await aBill(house, store, zheng, { contractId });
  const water = await aBill(house, store, zheng, { contractId, lines: [aLine("property", 8_800)] });
  const dispute = (id: number, to: string | null) =>
    house.database.pool.query(
      "update bill set disputed_from = '2026-03-19', disputed_to = $2 where id = $1",
      [id, to],
    );
  await dispute(water, null);
  const body = { billIds: [rent, water] };
  const dunner = await house.person({ permits: ["26.edit", "9.get"], villages: [store.villageId] });
  const { parties } = await house.did(previewRemind, { as: dunner }, { body });
  expect(parties.map((p) => [p.bills, p.amount])).toEqual([[1, 300_000]]);
  const { letters, leftOut } = await house.did(previewLetters, { as: dunner }, { body });
  expect(letters.map((l) => [l.bills, l.amount])).toEqual([[1, 300_000]]);
  expect(leftOut).toMatchObject([{ billId: water, why: "账单有争议，已暂停催缴" }]);
  const { text } = await printed(body);
  expect(text).toContain("有 1 笔账单逾期未付");
  expect(text).not.toContain("88.00");
  const single = () => house.ask(dunningLetter, { as: clerk }, { params: { id: contractId } });
  expect(text).toContain(textOfPdf((await single()).raw).replaceAll("\n", ""));
  await dispute(rent, null);
  expect((await single()).body.message).toBe("账单有争议，已暂停催缴");
  expect(await refused({ partyIds: [zheng] })).toBe("409 没有可以出具的催缴函：账单有争议，已暂停催缴 2 笔");
  // once it is settled it is asked for again
  await dispute(rent, "2026-03-20");
  expect((await printed({ partyIds: [zheng] })).text).toContain("3,000.00");
});

test("chosen customers get the letters of all they owe in the stores asked for", async () => {
  const partyIds = [li, zhang];
  const { text, pages } = await printed({ partyIds, villageIds: [store.villageId] });
  expect(pages).toBe(2);
  expect(text.indexOf("李思远")).toBeLessThan(text.indexOf("张晓明"));
  const clear = await aParty(house, "周明", { villageId: store.villageId });
  expect(await refused({ partyIds: [clear] })).toBe("409 所选客户没有逾期账单，不需要催缴");
});

test("bills of another store and contracts of a kind that is not one's own are refused", async () => {
  const other = await aStore(house);
  const sun = await aParty(house, "孙悦", { villageId: other.villageId });
  const theirs = await aBill(house, other, sun, { contractId: await aContract(house, other, sun) });
  expect(await refused({ billIds: [late.li, theirs] })).toBe("404 记录不存在");
  expect(
    (await house.ask(previewLetters, { as: clerk }, { body: { billIds: [late.li, theirs] } })).status,
  ).toBe(404);
  expect(await refused({ partyIds: [sun] })).toBe("409 所选客户没有逾期账单，不需要催缴");
  expect(await refused({ partyIds: [li], villageIds: [other.villageId] })).toMatch(/^404/);
  const firm = await aParty(house, "云帆科技", { kind: "company", villageId: store.villageId });
  const firms = await aBill(house, store, firm, { contractId: await aContract(house, store, firm) });
  // what may not be seen is left out; where that is all, it is refused
  const { letters, leftOut } = await house.did(
    previewLetters,
    { as: clerk },
    { body: { billIds: [late.li, firms] } },
  );
  expect([letters.map((l) => l.contractNo), leftOut.map((l) => [l.billId, l.why])]).toEqual([
    [NO.li],
    [[firms, "没有查看该类合同的权限"]],
  ]);
  const { text, pages } = await printed({ billIds: [late.li, firms] });
  expect(pages).toBe(1);
  expect(text).not.toContain("云帆科技");
  expect(await refused({ billIds: [firms] })).toBe("403 没有权限执行此操作");
  expect(await refused({ partyIds: [firm] })).toBe("403 没有权限执行此操作");
  const villages = [store.villageId];
  const bothKinds = await house.person({ permits: ["9.get", "11.get"], villages });
  expect((await asked({ billIds: [late.li, firms] }, bothKinds)).status).toBe(200);
  const biller = await house.person({ permits: ["26.get", "26.edit"], villages });
  expect(await refused({ billIds: [late.li] }, biller)).toBe("403 没有权限执行此操作");
});

test(
  "two thousand letters are one file; one more is refused before and on printing",
  { timeout: 120_000 },
  async () => {
    const guo = await aParty(house, "郭远航", { villageId: store.villageId });
    const contractId = await aContract(house, store, guo, { no: "HT20260101-100000" });
    const { rows } = await house.database.pool.query<{ id: number }>(
      `insert into contract (contract_no, kind, state, enterprise_id, village_id, party_id, start_date, end_date, preview_hash, room_names)
    select 'HT20260101-' || (100000 + n), kind, state, enterprise_id, village_id, party_id, start_date, end_date, preview_hash, room_names
    from contract, generate_series(1, 2000) n where id = $1 returning id::int`,
      [contractId],
    );
    const of = [contractId, ...rows.map((row) => row.id)];
    const made = await acting(house, (act) =>
      makeBills(
        act,
        of.map((id) => aNewBill(store, guo, { contractId: id })),
      ),
    );
    const body = { partyIds: [guo] };
    const many = "一次最多打印2000份催缴函，所选客户共 2001 份，请分批选择客户";
    expect(await refused(body)).toBe(`409 ${many}`);
    expect((await house.ask(previewLetters, { as: clerk }, { body })).body.message).toBe(many);
    await house.database.pool.query("update bill set disputed_from = '2026-03-19' where id = $1", [
      made[0]!.id,
    ]);
    const { letters, leftOut } = await house.did(previewLetters, { as: clerk }, { body });
    expect([letters.length, leftOut.length]).toEqual([2000, 1]);
    const { status, raw } = await asked(body);
    expect([status, await pagesIn(raw)]).toEqual([200, 2000]);
  },
);

test("as many bills as are reminded of at once, and no more", { timeout: 60_000 }, async () => {
  const many = await aParty(house, "吴家", { villageId: store.villageId });
  const contractId = await aContract(house, store, many, { no: "HT20260101-000905" });
  const made = await acting(house, (act) =>
    makeBills(
      act,
      Array.from({ length: 2001 }, () => aNewBill(store, many, { contractId, dueDate: "2026-03-10" })),
    ),
  );
  const ids = made.map((bill) => bill.id);
  expect((await asked({ billIds: ids.slice(1) })).status).toBe(200);
  const over = await asked({ billIds: ids });
  expect(over.body.message).toBe("一次最多催缴2000笔");
  expect(over.status).toBe(400);
  const parties = Array.from({ length: 201 }, (_, i) => i + 1);
  expect(await refused({ partyIds: parties })).toBe("400 一次最多催缴200位客户");
  expect(await refused({ partyIds: parties.slice(1).map((i) => i + 1_000_000) })).toMatch(/^409/);
  expect(await refused({})).toBe("400 请选择账单");
});
