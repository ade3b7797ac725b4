import { expect, test } from "vitest";
import type { Person } from "../../../platform/server/process/house.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aForm, aScan, aShop, signed } from "../contract/contract.sample.ts";
import { contractDocuments, contractLog } from "../contract/detail.contract.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { addFurtherFiles, checkDocument, documentFile, MOST_FURTHER } from "./paper.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const as = shop.clerk;
const { id } = await signed(house, as, aForm(shop), "2026-03-12");
const reader = await house.person({ permits: ["9.query", "9.get"], villages: [shop.villageId] });
const stranger = (await aShop(house)).clerk;
const { pool } = house.database;

const scans = (who: Person, n: number) => Promise.all(Array.from({ length: n }, () => aScan(house, who)));
const add = (who: Person, contractId: number, fileIds: number[]) =>
  house.ask(addFurtherFiles, { as: who }, { params: { id: contractId }, body: { fileIds } });
const listed = () => house.did(contractDocuments, { as: reader }, { params: { id } });

test("a further file is listed with who and when, opened by readers and checked by its hash", async () => {
  house.setClock("2026-05-06T09:30:00+08:00");
  const added = await house.did(
    addFurtherFiles,
    { as },
    { params: { id }, body: { fileIds: await scans(as, 2) } },
  );
  expect(added).toEqual({ added: 2 });
  const [further] = await listed();
  const { rows } = await pool.query("select real_name from operator where id = $1", [as.operatorId]);
  expect(further).toMatchObject({ kind: "further", name: "合同.pdf", createdBy: rows[0].real_name });
  expect(new Date(further!.createdAt).toISOString()).toBe("2026-05-06T01:30:00.000Z");
  const one = { params: { id, documentId: further!.id } };
  const { raw } = await house.ask(documentFile, { as: reader }, one);
  expect(raw.subarray(0, 5).toString()).toBe("%PDF-");
  expect(await house.did(checkDocument, { as: reader }, one)).toMatchObject({
    same: true,
    kept: further!.fileHash,
  });
  const [line] = await house.did(contractLog, { as: reader }, { params: { id } });
  expect(line).toMatchObject({ action: "补传文件", summary: "补传 2 个文件：合同.pdf、合同.pdf" });
});

test("who may not edit, works elsewhere or names another's file is refused, and so is a draft", async () => {
  expect((await add(reader, id, await scans(reader, 1))).status).toBe(403);
  expect((await add(stranger, id, await scans(stranger, 1))).status).toBe(404);
  expect((await add(as, id, await scans(reader, 1))).status).toBe(404);
  const { rows } = await pool.query(
    "select file_id::int id from contract_document where contract_id = $1 and kind = 'signed'",
    [id],
  );
  expect((await add(as, id, [rows[0].id])).status).toBe(404);
  const draft = await house.did(createContract, { as }, { body: aForm(shop, { start: "2027-03-15" }) });
  const refused = await add(as, draft.id, await scans(as, 1));
  expect([refused.status, refused.body.message]).toEqual([409, "合同提交之后才能补传文件"]);
  expect((await listed()).filter((d) => d.kind === "further")).toHaveLength(2);
});

test("no more than twenty, only papers and pictures, and none is ever taken away", async () => {
  expect((await add(as, id, [])).status).toBe(400);
  expect((await add(as, id, await scans(as, MOST_FURTHER - 1))).body.fields).toEqual([
    { field: "fileIds", msg: "一份合同最多补传20个文件，已有2个" },
  ]);
  const [sheet] = await scans(as, 1);
  await pool.query("update stored_file set type = 'text/csv' where id = $1", [sheet]);
  expect((await add(as, id, [sheet!])).body.fields).toEqual([
    { field: "fileIds", msg: "只能补传pdf、jpg或png文件" },
  ]);
  const [last, beyond] = await Promise.all([
    add(as, id, await scans(as, MOST_FURTHER - 2)),
    add(as, id, await scans(as, MOST_FURTHER - 2)),
  ]);
  expect([last.status, beyond.status].toSorted()).toEqual([200, 400]);
  expect((await listed()).filter((d) => d.kind === "further")).toHaveLength(MOST_FURTHER);
  await expect(pool.query("delete from contract_document where kind = 'further'")).rejects.toThrow("stays");
  await expect(
    pool.query("update contract_document set file_hash = '' where kind = 'further'"),
  ).rejects.toThrow("stays");
  await expect(
    pool.query(
      "insert into contract_document (contract_id, kind, file_id, file_hash) values ($1, 'further', $2, 'x')",
      [id, await aScan(house, as)],
    ),
  ).rejects.toThrow("too many");
});
