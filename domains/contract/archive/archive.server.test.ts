import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { aVillage, acting } from "../../listing/village/village.sample.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { printed } from "../../system/paper/print.service.ts";
import { aForm, aRoom, aScan, aShop, signed } from "../contract/contract.sample.ts";
import {
  addArchive,
  archiveFile,
  archiveLabels,
  countArchives,
  destroyArchive,
  extendLoan,
  getArchive,
  lendArchive,
  lendSlip,
  listArchives,
  loseArchive,
  moveArchive,
  returnArchive,
  shelfGrid,
  storeArchives,
  verifyArchive,
} from "./archive.contract.ts";
import { checkFiles, remindOverdue } from "./archive.job.ts";
import { archiveSigned } from "./archive.service.ts";

const house = await testHouse({ poolSize: 12 });
const NOW = "2026-03-12T10:00:00+08:00";
house.setClock(NOW);
beforeEach(() => house.setClock(NOW));
const KEEPING = ["226.query", "226.get", "226.add", "226.edit", "226.export", "#22601", "#22602", "#22603"];
const shop = await aShop(house, { permits: KEEPING });
const as = shop.clerk;
const reader = await house.person({ villages: [shop.villageId], name: "李思远" });
const other = await house.person({ villages: [shop.villageId], name: "许可" });
const { pool } = house.database;
let rooms = 0;

/** A contract that was signed on paper today, with the original that waits for its shelf. */
async function onPaper() {
  const roomId = await aRoom(house, shop.building, `D${++rooms}`, 300_000);
  const contract = await signed(house, as, aForm({ ...shop, roomId }), "2026-03-12");
  const { list } = await house.did(listArchives, { as }, { query: { contractId: contract.id } });
  return { contractId: contract.id, contractNo: contract.contractNo, archive: list[0]! };
}
const SHELF = { warehouse: "A", cabinet: "03", shelf: "2" };
/** The same on shelf A-03-2. */
async function onShelf() {
  const made = await onPaper();
  await house.did(storeArchives, { as }, { body: { ids: [made.archive.id], ...SHELF } });
  return made.archive.id;
}
const archiveOf = (id: number) => house.did(getArchive, { as }, { params: { id } });
const loan = (version: number, more: object = {}) => ({
  version,
  borrowerId: reader.operatorId,
  purpose: "核对条款",
  lentOn: "2026-03-12",
  dueOn: "2026-03-19",
  ...more,
});
const lend = (id: number, version = 2, more: object = {}) =>
  house.ask(lendArchive, { as }, { params: { id }, body: loan(version, more) });
const keyOf = async (id: number) => {
  const { rows } = await pool.query<{ key: string }>(
    "select f.storage_key key from contract_archive a join contract_document d on d.id = a.document_id join stored_file f on f.id = d.file_id where a.id = $1",
    [id],
  );
  return rows[0]!.key;
};
const keptAs = async (id: number, bytes: Buffer) => {
  const { key } = await house.files.put(bytes);
  await pool.query("update stored_file set storage_key = $2 where storage_key = $1", [await keyOf(id), key]);
};
const flip = async (id: number) => {
  const bytes = await house.files.get(await keyOf(id));
  bytes[10] = bytes[10]! ^ 1;
  await keptAs(id, bytes);
};

describe("an original on paper", () => {
  test("signed offline waits for its shelf; lent for seven days it is overdue on the eighth, and both are told", async () => {
    const { archive, contractNo } = await onPaper();
    expect(archive).toMatchObject({
      contractNo,
      state: "pending",
      medium: "paper",
      docKind: "renterContract",
      retentionUntil: "2037-03-14",
      hasFile: true,
      hashState: "none",
    });
    const { id } = archive;
    await house.did(storeArchives, { as }, { body: { ids: [id], ...SHELF, copies: 2, keepYears: 5 } });
    expect(await archiveOf(id)).toMatchObject({
      state: "archived",
      place: "A-03-2",
      copies: 2,
      archivedOn: "2026-03-12",
      retentionUntil: "2032-03-14",
    });
    expect((await lend(id)).status).toBe(200);
    expect(await archiveOf(id)).toMatchObject({ state: "lent", borrowerName: "李思远", dueOn: "2026-03-19" });
    const overdue = async () =>
      (await house.did(listArchives, { as }, { query: { tab: "overdue" } })).list.map((a) => a.id);
    const remind = () => acting(house, remindOverdue, { villages: [] });
    house.setClock("2026-03-19T08:30:00+08:00");
    await remind();
    expect(await overdue()).not.toContain(id);
    house.setClock("2026-03-20T08:30:00+08:00");
    await remind();
    await remind();
    expect(await overdue()).toContain(id);
    const { rows } = await pool.query<{ to: string }>(
      `select r.operator_id "to" from message m join message_receipt r on r.message_id = m.id
       where m.biz_type = 'archive' and m.biz_id = $1 order by 1`,
      [id],
    );
    expect(rows.map((row) => Number(row.to))).toEqual(
      [as.operatorId, reader.operatorId].toSorted((a, b) => a - b),
    );
    const { sums } = await house.did(listArchives, { as }, { query: { tab: "overdue" } });
    expect(sums).toMatchObject({ lent: 1, overdue: 1, copies: 2 });
  });

  test("comes back with what it looks like", async () => {
    const id = await onShelf();
    await lend(id);
    const back = (more: object) =>
      house.ask(
        returnArchive,
        { as },
        {
          params: { id },
          body: { version: 3, returnedOn: "2026-03-12", condition: "good", ...more } as never,
        },
      );
    expect((await back({ returnedOn: "2026-03-13" })).body.message).toBe("归还日不能晚于今天");
    expect((await back({ returnedOn: "2026-03-11" })).body.message).toBe("归还日不能早于借出日 2026-03-12");
    expect((await back({ condition: "damaged" })).body.message).toBe("请填写破损情况");
    expect((await back({ condition: "damaged", note: "缺第三页" })).status).toBe(200);
    const { loans, state } = await archiveOf(id);
    expect(state).toBe("archived");
    expect(loans).toMatchObject([{ condition: "damaged", note: "缺第三页", returnedOn: "2026-03-12" }]);
    expect((await lend(id, 4)).status).toBe(200);
  });

  test("two lenders at once: the second hears who has it", async () => {
    const id = await onShelf();
    const answers = await Promise.all([lend(id), lend(id, 2, { borrowerId: other.operatorId })]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    const [refused] = answers.filter((a) => a.status === 409);
    const { borrowerName } = await archiveOf(id);
    expect(refused!.body.message).toBe(`该档案已借出给 ${borrowerName}`);
    const { rows } = await pool.query("select 1 from archive_loan where archive_id = $1", [id]);
    expect(rows).toHaveLength(1);
  });

  test("is lent within its bounds, to somebody of the store", async () => {
    const id = await onShelf();
    const why = async (more: object) => (await lend(id, 2, more)).body.message;
    expect(await why({ dueOn: "2026-06-11" })).toBe("借期最长90天");
    expect(await why({ dueOn: "2026-03-12" })).toBe("应还日须晚于借出日");
    expect(await why({ purpose: "看" })).toBe("用途长度为2到200个字");
    const stranger = await house.person({ villages: [await aVillage(house)] });
    expect(await why({ borrowerId: stranger.operatorId })).toBe("请选择该门店的在职员工");
    expect((await lend(id, 1)).body.message).toBe("数据已被他人修改，请刷新后重试");
    expect((await lend(id, 2, { dueOn: "2026-06-10" })).status).toBe(200);
    const put = (version: number, dueOn: string) =>
      house.ask(extendLoan, { as }, { params: { id }, body: { version, dueOn } });
    expect((await put(3, "2026-07-11")).body.message).toBe("续借最多30天");
    expect((await put(3, "2026-07-10")).status).toBe(200);
    expect((await put(4, "2026-07-12")).body.message).toBe("只能续借一次");
    const slip = await house.ask(lendSlip, { as }, { params: { id } });
    expect(slip.raw.subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("moves to another shelf, gets lost, or is destroyed when its time is over", async () => {
    const id = await onShelf();
    const params = { id };
    await house.did(moveArchive, { as }, { params, body: { version: 2, warehouse: "B", cabinet: "1" } });
    expect((await archiveOf(id)).place).toBe("B-1");
    const early = await house.ask(destroyArchive, { as }, { params, body: { version: 3, reason: "期满" } });
    expect(early.body.message).toBe("未到保管期限");
    await lend(id, 3);
    await house.did(loseArchive, { as }, { params, body: { version: 4, reason: "搬迁遗失" } });
    expect(await archiveOf(id)).toMatchObject({
      state: "lost",
      reason: "搬迁遗失",
      loans: [{ condition: "lost" }],
    });
    const second = await onShelf();
    house.setClock("2037-03-15T10:00:00+08:00");
    const late = { params: { id: second }, body: { version: 2, reason: "保管期满" } };
    await pool
      .query("update login_session set expires_at = '2040-01-01', last_seen_at = now()")
      .catch(() => undefined);
    await pool.query("update login_session set expires_at = '2040-01-01'");
    // a lease that was made longer since keeps its original
    const { contractId } = await archiveOf(second);
    const ends = (day: string) =>
      pool.query<{ before: string }>(
        `with old as (select id, end_date from contract where id = $1)
         update contract c set end_date = $2 from old where c.id = old.id returning old.end_date::text before`,
        [contractId, day],
      );
    const { rows } = await ends("2038-03-11");
    expect(await archiveOf(second)).toMatchObject({ retentionUntil: "2038-03-11" });
    expect((await house.ask(destroyArchive, { as }, late)).body.message).toBe("未到保管期限");
    await ends(rows[0]!.before);
    expect((await house.ask(destroyArchive, { as }, late)).status).toBe(200);
    expect((await archiveOf(second)).state).toBe("destroyed");
  });

  test("many go onto one shelf together, or none of them", async () => {
    const [one, two] = [await onPaper(), await onPaper()];
    const ids = [one.archive.id, two.archive.id];
    await house.did(storeArchives, { as }, { body: { ids, warehouse: "C" } });
    const third = await onPaper();
    const again = await house.ask(
      storeArchives,
      { as },
      { body: { ids: [third.archive.id, ids[0]!], warehouse: "C" } },
    );
    expect(again.body.message).toBe(`${one.archive.archiveNo} 当前状态为“在库”，不能归档`);
    expect((await archiveOf(third.archive.id)).state).toBe("pending");
    const grid = await house.did(shelfGrid, { as }, { query: {} });
    expect(grid.find((s) => s.place === "C")).toMatchObject({ count: 2, lent: 0 });
    const { total } = await house.did(listArchives, { as }, { query: { place: "C" } });
    expect(total).toBe(2);
    const labels = await house.ask(archiveLabels, { as }, { body: { ids } });
    expect(labels.raw.subarray(0, 5).toString()).toBe("%PDF-");
    const counts = await house.did(countArchives, { as }, { query: {} });
    expect(counts["pending"]).toBeGreaterThan(0);
  });
});

describe("a loan that needs approval", () => {
  test("waits with the original frozen, and is lent by the last approval", async () => {
    const mine = await aShop(house, { permits: KEEPING });
    const admin = await house.person({ superType: "1" });
    const manager = await house.person({
      villages: [mine.villageId],
      permits: ["226.query"],
      name: "罗佳宁",
    });
    const borrower = await house.person({ villages: [mine.villageId], name: "郭晓东" });
    await aModule(house, admin, {
      moduleType: "archiveLoan",
      name: "借档审批",
      villageIds: [mine.villageId],
      fallback: borrower,
      processes: [otherwise(asking("店长", [manager]))],
    });
    const contract = await signed(house, mine.clerk, aForm(mine), "2026-03-12");
    const by = { as: mine.clerk };
    const { list } = await house.did(listArchives, by, { query: { contractId: contract.id } });
    const { id } = list[0]!;
    await house.did(storeArchives, by, { body: { ids: [id], ...SHELF } });
    const sent = { params: { id }, body: loan(2, { borrowerId: borrower.operatorId }) };
    expect((await house.did(lendArchive, by, sent)).waiting).toMatch(/^SP/);
    const read = () => house.did(getArchive, by, { params: { id } });
    expect(await read()).toMatchObject({ state: "archived", frozen: true });
    const moved = await house.ask(moveArchive, by, { params: { id }, body: { version: 2, warehouse: "Z" } });
    expect(moved.body.reason).toBe("frozen");
    const { rows } = await pool.query<{ id: number }>(
      "select id::int from examine where target_kind = 'archive' and target_id = $1",
      [id],
    );
    const examine = { id: rows[0]!.id };
    const { version } = await house.did(getExamine, { as: manager }, { params: examine });
    await house.did(
      decideExamine,
      { as: manager, key: randomUUID() },
      { params: examine, body: { decision: "approve", version, comment: "" } as never },
    );
    expect(await read()).toMatchObject({ state: "lent", borrowerName: "郭晓东", frozen: false });
  });
});

describe("the kept file", () => {
  test("is as it was signed, and one flipped byte is noticed", async () => {
    const { archive } = await onPaper();
    const check = () => house.did(verifyArchive, { as }, { params: { id: archive.id } });
    expect(await check()).toMatchObject({ same: true, said: "文件未被改动" });
    expect((await archiveOf(archive.id)).hashState).toBe("same");
    await flip(archive.id);
    expect(await check()).toMatchObject({ same: false, said: "文件已被改动" });
    expect((await archiveOf(archive.id)).hashState).toBe("changed");
  });

  test("an electronic original is archived by its signing; the yearly check reports what was changed", async () => {
    const { archive, contractId } = await onPaper();
    const { rows } = await pool.query<{ id: string }>(
      "update contract_archive set document_id = null where id = $1 returning (select document_id from contract_archive where id = $1) id",
      [archive.id],
    );
    const paper = {
      contractId,
      documentId: Number(rows[0]!.id),
      docKind: "renterContract",
      medium: "electronic",
    } as const;
    await acting(house, (act) => archiveSigned(act, [paper]));
    await acting(house, (act) => archiveSigned(act, [paper]));
    const { list } = await house.did(listArchives, { as }, { query: { contractId, medium: "electronic" } });
    expect(list).toMatchObject([{ state: "archived", archivedOn: "2026-03-12" }]);
    const { id } = list[0]!;
    expect((await lend(id, 1)).body.message).toBe("电子件不占库位，请直接查看或下载");
    await flip(id);
    await acting(house, checkFiles, { villages: [] });
    const { rows: told } = await pool.query(
      "select content from message where title like '%份电子档案验签异常'",
    );
    expect(told).toHaveLength(1);
    expect(told[0].content).toContain(list[0]!.archiveNo);
    expect((await archiveOf(id)).hashState).toBe("changed");
  });

  test("opens for who may see it, and each look is written down", async () => {
    const { archive, contractNo } = await onPaper();
    const { id } = archive;
    const look = () => house.ask(archiveFile, { as }, { params: { id } });
    // a scan that is no readable PDF cannot be marked
    expect(await look()).toMatchObject({
      status: 409,
      body: { message: `该文件已加密或损坏，不能加水印查看，原件见合同 ${contractNo} 的“文件”` },
    });
    await keptAs(id, await printed({ blocks: [], foot: ["", ""], mark: "" }, "扫描件"));
    expect((await look()).raw.subarray(0, 5).toString()).toBe("%PDF-");
    const { rows } = await pool.query(
      "select 1 from business_log where kind = 'archive' and record_id = $1 and action = '查看'",
      [id],
    );
    expect(rows).toHaveLength(1);
    const plain = await house.person({ permits: ["226.query"], villages: [shop.villageId] });
    const stranger = await house.person({ permits: KEEPING, villages: [await aVillage(house)] });
    expect((await house.ask(archiveFile, { as: plain }, { params: { id } })).status).toBe(403);
    for (const call of [archiveFile, verifyArchive, getArchive, lendSlip])
      expect((await house.ask(call, { as: stranger }, { params: { id } })).status).toBe(404);
    const shelf = { ids: [id], warehouse: "A" };
    expect((await house.ask(storeArchives, { as: stranger }, { body: shelf })).status).toBe(404);
    expect((await house.ask(storeArchives, { as: plain }, { body: shelf })).status).toBe(403);
    expect((await house.did(listArchives, { as: stranger }, { query: {} })).list).toEqual([]);
  });

  test("a picture comes as a page with its reader's name over it", async () => {
    const { contractId } = await onPaper();
    const picture = (await sendFile(house, as, { name: "a.png", bytes: aPng() }, "paper30M")).body.data.id;
    const made = await house.did(
      addArchive,
      { as },
      { body: { contractId, docKind: "handoverSheet", warehouse: "A", fileId: picture } },
    );
    const file = await house.ask(archiveFile, { as }, { params: { id: made.id } });
    expect(file.raw.subarray(0, 5).toString()).toBe("%PDF-");
  });
});

test("an original that no signing brought is put on its shelf by hand", async () => {
  const { contractId } = await onPaper();
  const add = (more: object) =>
    house.ask(addArchive, { as }, { body: { contractId, docKind: "supplement", ...more } as never });
  expect((await add({})).body.message).toBe("请输入仓库");
  expect((await add({ medium: "electronic" })).body.message).toBe("请上传电子文件");
  expect((await add({ warehouse: "A", copies: 10 })).status).toBe(400);
  expect((await add({ warehouse: "A", keepYears: 31 })).status).toBe(400);
  expect((await add({ warehouse: "A", copies: 9, keepYears: 30 })).status).toBe(200);
  const fileId = await aScan(house, as);
  const done = await add({ medium: "electronic", fileId });
  expect(await archiveOf(done.body.data.id)).toMatchObject({
    state: "archived",
    medium: "electronic",
    place: "",
  });
});
