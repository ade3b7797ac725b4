import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { readWorkbook } from "../../../platform/server/sheets/workbook-reader.ts";
import { aCreditCode } from "../../customer/firm/firm.sample.ts";
import { getBill } from "../../finance/bill-list/bill.contract.ts";
import { headOf } from "../../system/import/import.rules.ts";
import { sendFile } from "../../system/import/import.sample.ts";
import { someRooms } from "../contract/firm.sample.ts";
import { contractBills, getContract } from "../contract/detail.contract.ts";
import { companyContractRooms, listCompanyContracts } from "../firm/firm-list.contract.ts";
import { companyOpening, openingImport } from "../import/import.contract.ts";
import { anImporter, aSheet, type Importer, type SampleRow } from "../import/import.sample.ts";
import { FIRM_SHEETS } from "./columns.rules.ts";

const house = await testHouse();
const { db, pool } = house.database;
const COLUMNS = FIRM_SHEETS.company;
let { shop, clerk, sent, commit, undo, batchOf, brought, ledger, balances } = {} as Importer;
/** `ROOMS=2000 npm test -- domains/contract/import-firm` brings in the largest contract there may be. */
const ROOMS = Number(process.env["ROOMS"] ?? 100);
const CODE = aCreditCode();
let owner: string;
beforeAll(async () => {
  ({ shop, clerk, sent, commit, undo, batchOf, brought, ledger, balances } = await anImporter(
    house,
    "company",
    COLUMNS,
  ));
  await someRooms(house, shop, ["1601", "1602", "1603", "1701", "1702"]);
  const keeper = await house.person({ name: "周知禾", permits: ["113.edit"], villages: [shop.villageId] });
  owner = (
    await db
      .selectFrom("operator")
      .select("realName")
      .where("id", "=", keeper.operatorId)
      .executeTakeFirstOrThrow()
  ).realName;
});

/** 3,000.00 + 2,600.00 + 2,400.00 a month for two years, paid by the quarter to the end of January. */
const first = (more: SampleRow = {}): SampleRow => ({
  village: "滨江店",
  room: "1601",
  name: "云栖软件有限公司",
  creditCode: CODE,
  contactName: "孙晓梅",
  contactPhone: "13812345678",
  ownerName: owner,
  start: "2026-05-01",
  end: "2028-04-30",
  rent: 3000,
  pay: "押二付三",
  paidTo: "2027-01-31",
  deposit: 16_000,
  arrears: 500,
  arrearsDue: "2026-11-10",
  prepaid: 250,
  oldNo: "QY-1",
  ...more,
});
const more = (row: SampleRow, oldNo = "QY-1"): SampleRow => ({ village: "滨江店", oldNo, ...row });
const rooms = () => [more({ room: "1602", rent: 2600 }), more({ room: "1603", rent: 2400 })];
const electric = () =>
  more({ room: "1602", arrears: 126.5, arrearsSubject: "电费", arrearsDue: "2026-11-05" });
const errorsOf = async (id: number) => (await batchOf(id)).errors.map((e) => `${e.row} ${e.header} ${e.msg}`);

test("a company of three rooms comes in with deposit, two open bills and prepaid money, and goes with its batch", async () => {
  const before = await balances();
  const { id, state } = await sent(first(), ...rooms(), electric());
  expect([state, await errorsOf(id)]).toEqual(["ready", []]);
  const { totals } = await batchOf(id);
  const sums = { contracts: 1, rooms: 3, monthlyRent: 800_000, deposit: 1_600_000, agreed: 1_600_000 };
  // five quarters are to come, none of them due
  const owed = { arrears: 62_650, prepaid: 25_000, dueNow: 0, bills: 5, newTenants: 1 };
  expect(totals).toMatchObject({ villages: [{ villageName: "滨江店" }], sum: { ...sums, ...owed } });
  expect((await commit(id)).body.data.state).toBe("done");

  const [made] = await brought(id);
  const at = { params: { id: made!.id } };
  const contract = await house.did(getContract, { as: clerk }, at);
  expect(contract).toMatchObject({
    kind: "company",
    phase: "living",
    source: "import",
    oldNo: "QY-1",
    partyName: "云栖软件有限公司",
    payText: "押二付三",
    depositHeld: 1_600_000,
    overdue: 62_650,
    handoverOn: "2026-05-01",
  });
  const let_ = await house.did(companyContractRooms, { as: clerk }, at);
  expect(let_.map((room) => [room.name.slice(-4), room.monthlyRent, room.from, room.to])).toEqual([
    ["1601", 300_000, "2026-05-01", "2028-04-30"],
    ["1602", 260_000, "2026-05-01", "2028-04-30"],
    ["1603", 240_000, "2026-05-01", "2028-04-30"],
  ]);
  const leases = await db
    .selectFrom("occupancyRow")
    .select("roomId")
    .where("contractId", "=", made!.id)
    .orderBy("roomId")
    .execute();
  expect(leases.map((lease) => lease.roomId)).toEqual(let_.map((room) => room.roomId));

  const bills = await house.did(contractBills, { as: clerk }, at);
  expect(bills.map((b) => [b.title, b.periodStart, b.dueDate, b.amount, b.issued])).toEqual([
    ["期初欠费·电费", null, "2026-11-05", 12_650, true],
    ["期初欠费", null, "2026-11-10", 50_000, true],
    ["第4期租金", "2027-02-01", "2027-01-25", 2_400_000, false],
    ["第5期租金", "2027-05-01", "2027-04-24", 2_400_000, false],
    ["第6期租金", "2027-08-01", "2027-07-25", 2_400_000, false],
    ["第7期租金", "2027-11-01", "2027-10-25", 2_400_000, false],
    ["第8期租金", "2028-02-01", "2028-01-25", 2_400_000, false],
  ]);
  // the open bill that names a room is that room's
  const shown = await house.did(getBill, { as: clerk }, { params: { id: bills[0]!.id } });
  expect(shown.roomName).toMatch(/1602$/);
  const after = await balances();
  expect(after.map((fen, i) => fen - before[i]!)).toEqual([62_650, -1_600_000, -25_000, 1_562_350]);
  expect(await ledger()).toEqual([]);

  const company = await db
    .selectFrom("firm as f")
    .innerJoin("company as c", "c.id", "f.id")
    .innerJoin("partyContact as k", "k.partyId", "f.id")
    .innerJoin("operator as o", "o.id", "c.ownerId")
    .select(["f.creditCode", "k.name", "k.phone", "o.realName"])
    .where("f.id", "=", made!.partyId)
    .execute();
  expect(company).toEqual([{ creditCode: CODE, name: "孙晓梅", phone: "13812345678", realName: owner }]);
  const { rows: told } = await pool.query(
    "select kind, summary from business_log where (kind, record_id) in (('contract', $1), ('company', $2)) and summary like '导入%' order by kind",
    [made!.id, made!.partyId],
  );
  expect(told.map((line) => line.kind)).toEqual(["company", "contract"]);
  expect(told[1].summary).toMatch(
    /^导入在租企业合同：云栖软件有限公司 租用 .*1601、.*1602、.*1603，2026-05-01 至 2028-04-30，.*待出账单 5 张，原合同号 QY-1（QC/,
  );

  const listed = { query: { source: "import" } as never };
  expect((await house.did(listCompanyContracts, { as: clerk }, listed)).list.map((c) => c.rooms)).toEqual([
    3,
  ]);
  const file = await house.ask(companyOpening.errorFile, { as: clerk }, { params: { id } });
  const [, line] = await Array.fromAsync((await readWorkbook(file.raw))![0]!.rows());
  expect(line!.cells.get(COLUMNS.length + 1)!.text).toBe(made!.contractNo);

  expect((await undo(id)).body.data).toMatchObject({ contracts: 1 });
  expect(await balances()).toEqual(before);
  expect(await ledger()).toEqual([]);
  const left = await db.selectFrom("occupancyRow").select("id").where("contractId", "=", made!.id).execute();
  expect(left).toEqual([]);
  const { rows: standing } = await pool.query(
    "select count(*)::int n from bill where contract_id = $1 and voided_at is null",
    [made!.id],
  );
  expect(standing).toEqual([{ n: 0 }]);
  expect((await brought(id)).map((c) => c.state)).toEqual(["voided"]);
});

test("a company on record is found by its code or name, and one of several contracts is registered once", async () => {
  const by = { contactName: "", contactPhone: "", ownerName: "" };
  const named = await sent(
    first({ creditCode: "", ...by, oldNo: "QY-2" }),
    first({ room: "1602", ...by, oldNo: "QY-3" }),
    first({ room: "1701", name: "青禾科技有限公司", creditCode: aCreditCode(), oldNo: "QY-4" }),
    first({ room: "1702", name: "青禾科技有限公司", creditCode: "", ...by, oldNo: "QY-5" }),
  );
  expect([named.state, await errorsOf(named.id)]).toEqual(["ready", []]);
  expect((await batchOf(named.id)).totals!.sum).toMatchObject({ contracts: 4, rooms: 4, newTenants: 1 });
  await commit(named.id);
  const parties = (await brought(named.id)).map((c) => c.partyId);
  expect([parties[0], parties[2]]).toEqual([parties[1], parties[3]]);
  expect(new Set(parties).size).toBe(2);
  expect((await undo(named.id)).status).toBe(200);
});

test("two batches that both register a company: it is on record once, with the contracts of both", async () => {
  const one = { name: "溪谷信息有限公司", creditCode: aCreditCode() };
  const batches = await Promise.all([
    sent(first({ ...one, room: "1601", oldNo: "QY-10" })),
    sent(first({ ...one, room: "1602", oldNo: "QY-11" })),
  ]);
  for (const { id } of batches) expect((await batchOf(id)).totals!.sum).toMatchObject({ newTenants: 1 });
  const done = await Promise.all(batches.map(({ id }) => commit(id)));
  // the second may be told to look again, and then finds the company
  expect(done.map(({ status }) => status)).toContain(200);
  for (const [i, { status, body }] of done.entries()) {
    if (status === 200) continue;
    expect([status, body.message]).toEqual([409, ""]);
    expect((await commit(batches[i]!.id)).status).toBe(200);
  }
  const { rows } = await pool.query(
    "select count(distinct f.id)::int firms, count(c.id)::int contracts from firm f join party p on p.id = f.id left join contract c on c.party_id = f.id where p.name = $1",
    [one.name],
  );
  expect(rows).toEqual([{ firms: 1, contracts: 2 }]);
  for (const { id } of batches) expect((await undo(id)).status).toBe(200);
});

test(
  "a company of as many rooms as a contract may have comes in from one sheet",
  { timeout: 600_000 },
  async () => {
    const names = Array.from({ length: ROOMS }, (_, i) => `M${i}`);
    await someRooms(house, shop, names);
    await house.database.owner.query("analyze");
    const [head, ...others] = names;
    const rows = [
      first({
        name: "大湖物流有限公司",
        creditCode: aCreditCode(),
        room: head!,
        oldNo: "QY-60",
        deposit: 1,
        arrears: "",
        arrearsDue: "",
        prepaid: "",
      }),
      ...others.map((room) => more({ room, rent: 3000 }, "QY-60")),
    ];
    const from = performance.now();
    const { id, state } = await sent(...rows);
    const checked = performance.now();
    expect([state, await errorsOf(id)]).toEqual(["ready", []]);
    expect((await batchOf(id)).totals!.sum).toMatchObject({
      contracts: 1,
      rooms: ROOMS,
      monthlyRent: ROOMS * 300_000,
    });
    expect((await commit(id)).status).toBe(200);
    await house.deliver();
    const took = [checked - from, performance.now() - checked].map(Math.round);
    if (process.env["ROOMS"]) console.log(`check and commit of ${ROOMS} rooms: ${took.join(", ")} ms`);
    expect((await batchOf(id)).state).toBe("done");
    const [made] = await brought(id);
    const let_ = await house.did(companyContractRooms, { as: clerk }, { params: { id: made!.id } });
    expect(new Set(let_.map((room) => room.name.split("·").at(-1)))).toEqual(new Set(names));
    expect(await ledger()).toEqual([]);
    expect((await undo(id)).status).toBe(200);
    expect(await ledger()).toEqual([]);
  },
);

test("what is wrong is named by row and column, and nothing comes in", async () => {
  const shopRoom = (await someRooms(house, shop, ["1801", "1802"]))[0]!;
  await db.updateTable("room").set({ kind: "shop" }).where("id", "=", shopRoom).execute();
  const { id, state } = await sent(
    first({ oldNo: "QY-6" }),
    more({ room: "1602", rent: 2600, deposit: 5, arrears: 3, name: "别家公司" }, "QY-6"),
    more({ room: "1602", rent: 2600 }, "QY-6"),
    more({ room: "1801", rent: 2600 }, "QY-6"),
    more({ room: "9999", rent: 2600 }, "QY-6"),
    more({ room: "1603" }, "QY-6"),
    more({ rent: 2600 }, "QY-6"),
    more({ room: "1603", rent: 2600 }, "QY-9"),
    more({ room: "1702", arrears: 3 }, "QY-6"),
    first({ room: "1701", oldNo: "QY-6" }),
    first({ room: "1702", creditCode: aCreditCode(), oldNo: "QY-7" }),
    first({
      room: "1702",
      name: "新来的公司",
      creditCode: "",
      oldNo: "QY-8",
      start: "2029-01-01",
      end: "2029-12-31",
      paidTo: "",
    }),
    first({
      room: "1702",
      name: "晴川物流有限公司",
      creditCode: aCreditCode(),
      oldNo: "QY-10",
      contactPhone: "",
      ownerName: "无此人",
      start: "2030-01-01",
      end: "2030-12-31",
      paidTo: "",
    }),
    first({ village: "别家店", oldNo: "QY-11" }),
    first({ room: "1603", creditCode: "91330108MA2", oldNo: "QY-12", billing: "按人" }),
  );
  expect(state).toBe("failed");
  expect(await errorsOf(id)).toEqual([
    "3 企业客户 与第 2 行（同一合同）不一致，可以留空",
    "3 在管押金 只在第 2 行（同一合同）填写",
    "3 欠费 其他房间的欠费另起一行，不填月租金",
    "4 房间 与第 3 行的房间和租期重叠",
    "5 房间 商铺请签商户合同",
    "6 房间 滨江店没有房间“9999”",
    "7 月租金 请填写月租金",
    "8 房间 请填写房间",
    "9 合同号 文件中没有这个合同号的合同行，请填写起租日、到期日和月租金",
    "10 房间 不是第 2 行（同一合同）的房间，可以留空",
    "11 合同号 与第 2 行重复；同一合同的其他房间、欠费另起一行，不填起租日和到期日",
    "12 统一社会信用代码 该企业登记的是另一个统一社会信用代码，请核对",
    "13 企业客户 没有登记过该企业，请填写统一社会信用代码",
    "14 手机 没有登记过该企业，请填写手机",
    "14 客户经理 该员工不能负责企业客户",
    "15 门店 没有门店“别家店”，或无权查看；相近的有：滨江店、V1",
    "16 统一社会信用代码 统一社会信用代码格式不正确",
    "16 结算方式 结算方式中没有“按人”，相近的有：按房间账单、统一账单",
  ]);
  expect((await commit(id)).body.message).toBe("文件有错误，请改正后重新上传");
  expect(await brought(id)).toEqual([]);
});

test("a company that the black list forbids is not taken over; one that is merged into another is none", async () => {
  const { rows } = await pool.query("select number_hash from firm where credit_code = $1", [CODE]);
  await db
    .insertInto("blackList")
    .values({
      enterpriseId: house.enterpriseId,
      name: "云栖软件有限公司",
      certNoHash: rows[0].number_hash,
      level: "forbid",
      reason: "拖欠",
      source: "own",
    } as never)
    .execute();
  const { id } = await sent(first({ oldNo: "QY-20" }));
  expect(await errorsOf(id)).toEqual(["2 企业客户 该客户在黑名单中，禁止签约：拖欠"]);
  await db.deleteFrom("blackList").execute();

  const merge = (into: string) =>
    pool.query(
      `update firm set merged_into_id = (select id from party where name = '青禾科技有限公司' ${into}) where credit_code = $1`,
      [CODE],
    );
  await merge("");
  const named = await sent(first({ oldNo: "QY-21", creditCode: "" }));
  expect(await errorsOf(named.id)).toEqual(["2 企业客户 没有登记过该企业，请填写统一社会信用代码"]);
  const coded = await sent(first({ oldNo: "QY-21" }));
  expect((await batchOf(coded.id)).totals!.sum.newTenants).toBe(1);
  await merge("and false");
});

test("a long file is taken by its own job", async () => {
  const { id } = await sent(first({ oldNo: "QY-30" }), more({ room: "1602", rent: 2600 }, "QY-30"));
  await pool.query("update contract_import set row_count = 301 where id = $1", [id]);
  expect((await commit(id)).body.data.state).toBe("importing");
  await house.deliver();
  expect((await batchOf(id)).state).toBe("done");
  const [made] = await brought(id);
  expect([made!.kind, made!.monthlyRent]).toEqual(["company", 560_000]);

  // who lives there by now stands in the way
  await pool.query(
    `insert into contract_occupant (contract_id, room_id, name, phone, from_date, to_date)
     select contract_id, room_id, '何知微', '13900000000', '2026-11-20', '2026-11-20' from contract_room where contract_id = $1 limit 1`,
    [made!.id],
  );
  expect((await undo(id)).body.message).toBe(
    `1 份合同不能撤销：${made!.contractNo} 云栖软件有限公司已登记入住人`,
  );
  await pool.query(
    "update contract_occupant set from_date = '2026-11-19', to_date = '2026-11-19' where contract_id = $1",
    [made!.id],
  );
  expect((await undo(id)).status).toBe(200);
});

test("a batch of companies is none of tenants' contracts, nor of another store", async () => {
  const far = await anImporter(house, "company", COLUMNS);
  const { id, state } = await sent(first({ oldNo: "QY-40" }));
  expect(state).toBe("ready");
  const at = { params: { id } };
  for (const call of [companyOpening.get, companyOpening.errorFile])
    expect((await house.ask(call, { as: far.clerk }, at)).status).toBe(404);
  expect((await far.commit(id)).status).toBe(404);
  expect((await far.undo(id)).status).toBe(404);
  const theirs = await far.sent(first({ oldNo: "QY-41" }));
  expect(await far.batchOf(theirs.id)).toMatchObject({ state: "failed", errors: [{ row: 2, column: "A" }] });

  const tenants = await house.person({ permits: ["9.import"], villages: [shop.villageId] });
  expect((await house.ask(companyOpening.get, { as: tenants }, at)).status).toBe(403);
  expect((await house.ask(openingImport.get, { as: tenants }, at)).status).toBe(404);
  expect(
    (await house.ask(openingImport.commit, { as: tenants, key: "press-other" }, { body: { id } })).status,
  ).toBe(404);
  expect((await house.did(openingImport.list, { as: tenants }, { query: {} })).total).toBe(0);
});

test("the template is understood as it is given out, and explains rooms and bills", async () => {
  const answer = await house.ask(companyOpening.template, { as: clerk }, {});
  const sheets = (await readWorkbook(answer.raw))!;
  expect(sheets.map((sheet) => sheet.name)).toEqual(["在租企业合同", "字典", "说明"]);
  const [head] = await Array.fromAsync(sheets[0]!.rows());
  expect([...head!.cells.values()].map((cell) => cell.text)).toEqual(COLUMNS.map(headOf));
  const lines = (await Array.fromAsync(sheets[2]!.rows())).map((row) => row.cells.get(2)?.text ?? "");
  expect(lines.filter((text) => text.includes("另起一行")).length).toBeGreaterThanOrEqual(2);
  const book = await aSheet([first({ oldNo: "QY-50" })], COLUMNS);
  expect(
    (await sendFile(house, clerk, companyOpening.check, book, { takenOn: "2026-11-20" }, "a.xlsx")).state,
  ).toBe("ready");
});
