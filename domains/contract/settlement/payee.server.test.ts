import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aScan } from "../contract/contract.sample.ts";
import { revealAccount } from "../../finance/refund/refund.contract.ts";
import { payeeAccounts, savePayee } from "./settlement.contract.ts";
import { PERMITS, aSettler } from "./settlement.sample.ts";

const house = await testHouse();
const { shop, as, pool, lease, asked, submitted, confirm, row, sound } = await aSettler(house);
const NUMBER = "6222020200011234567";
const typed = { holder: "张三", bank: "工商银行", number: NUMBER };

const put = (id: number, body: object, who = as) =>
  house.ask(savePayee, { as: who }, { params: { id }, body: { version: 0, ...body } as never });
const wrongs = async (id: number, body: object) =>
  ((await put(id, body)).body.fields ?? []).map((f: { field: string; msg: string }) => [f.field, f.msg]);
async function leaving() {
  const contract = await lease();
  house.setClock("2026-08-05T10:00:00+08:00");
  const { id } = await asked(contract.id);
  return { ...contract, actId: id };
}

test("the refund goes to the account that was named, whole for who pays and masked for everybody else", async () => {
  const { id: contractId, actId: id, partyId } = await leaving();
  expect(await wrongs(id, {})).toEqual([
    ["holder", "户名长度为2到30个字"],
    ["bank", "开户行长度为2到30个字"],
    ["number", "银行卡号格式不正确"],
  ]);
  expect(await wrongs(id, { ...typed, number: "62220" })).toEqual([["number", "银行卡号格式不正确"]]);
  expect((await put(id, typed)).status).toBe(200);
  const shown = await row(id);
  expect(shown.payee).toMatchObject({ holder: "张三", bank: "工商银行", number: "6222****4567" });
  expect(shown.payeeText).toBe("张三 工商银行 6222****4567");
  const { rows: kept } = await pool.query(
    `select number_masked from bank_account where party_id = $1 and is_default`,
    [partyId],
  );
  expect(kept).toEqual([{ number_masked: "6222****4567" }]);
  const { rows: told } = await pool.query(
    `select count(*)::int n from business_log where (summary like $1 or before::text like $1 or after::text like $1)`,
    [`%${NUMBER}%`],
  );
  expect(told).toEqual([{ n: 0 }]);
  // an account that the tenant has is chosen, not typed again
  const accounts = await house.did(payeeAccounts, { as }, { params: { id } });
  expect(accounts).toEqual([{ id: shown.payee!.accountId, label: "张三 工商银行 6222****4567" }]);
  const done = await submitted(id);
  expect((await confirm(done)).status).toBe(200);
  const { rows } = await pool.query(
    `select id, amount::int, payee_name name, payee_bank bank, payee_tail tail from refund where contract_id = $1`,
    [contractId],
  );
  const { id: refundId, ...refund } = rows[0];
  expect(refund).toEqual({ amount: 431_276, name: "张三", bank: "工商银行", tail: "4567" });
  const cashier = await house.person({ permits: ["#24401"], villages: [shop.villageId] });
  expect(await house.did(revealAccount, { as: cashier }, { params: { id: Number(refundId) } })).toEqual({
    account: NUMBER,
  });
  expect((await put(id, { ...typed, version: 1 })).body.message).toBe(
    "结算已确认或已取消，请在退款管理中更换收款账户",
  );
  expect(await sound()).toEqual([]);
});

test("somebody else's account needs the relation and a paper, and the refund carries both", async () => {
  const { id: contractId, actId: id } = await leaving();
  const other = { holder: "张大山", bank: "招商银行", number: "6225880000004321" };
  expect(await wrongs(id, other)).toEqual([["relation", "收款人与客户不一致，请填写关系"]]);
  const named = { ...other, relation: "父亲" };
  expect(await wrongs(id, named)).toEqual([["fileIds", "收款人与客户不一致，请上传证明"]]);
  expect((await put(id, { ...named, fileIds: [await aScan(house, as)] })).status).toBe(200);
  expect((await row(id)).files).toHaveLength(1);
  expect((await confirm(await submitted(id))).status).toBe(200);
  const { rows } = await pool.query("select payee_name, relation from refund where contract_id = $1", [
    contractId,
  ]);
  expect(rows).toEqual([{ payee_name: "张大山", relation: "父亲" }]);
});

test("two clerks at once: the second sees the first; strangers and readers do nothing", async () => {
  const { actId: id } = await leaving();
  const both = await Promise.all([put(id, typed), put(id, { ...typed, number: "6222020200017654321" })]);
  expect(both.map((r) => r.status).toSorted()).toEqual([200, 409]);
  const reader = await house.person({ permits: ["72.query", "72.get"], villages: [shop.villageId] });
  expect((await put(id, { ...typed, version: 1 }, reader)).status).toBe(403);
  const stranger = await house.person({ permits: PERMITS, villages: [] });
  expect((await put(id, { ...typed, version: 1 }, stranger)).status).toBe(404);
});
