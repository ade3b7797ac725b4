import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aForm, aRenter, aShop, signed, submitted } from "../contract/contract.sample.ts";
import { contractDocuments } from "../contract/detail.contract.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { deleteLessor, getLessor } from "../lessor/lessor.contract.ts";
import { aLessor, aSeal } from "../seal/seal.sample.ts";
import { holdSeal, sealFor } from "../seal/seal.service.ts";
import { printed } from "../../system/paper/print.service.ts";
import { checkDocument, contractPaper, documentFile } from "./paper.contract.ts";
import { codeInPdf, sizesInPdf, textOfPdf } from "./paper.sample.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const partyId = await aRenter(house, shop.villageId, {
  name: "沈书瑶",
  certType: "idCard",
  certNo: "330106199503074521",
});
const { id, contractNo, preview } = await submitted(house, shop.clerk, aForm({ ...shop, partyId }));

test("the unsigned print can be searched: parties, clauses, sums in words, every bill", async () => {
  const { raw, headers, status } = await house.ask(contractPaper, { as: shop.clerk }, { params: { id } });
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("application/pdf");
  expect(decodeURIComponent(String(headers["content-disposition"]))).toContain(
    `租赁合同_${contractNo}_待签稿.pdf`,
  );
  expect(raw.length).toBeLessThan(200_000);
  const text = textOfPdf(raw).replaceAll("\n", "");
  expect(text).toContain("房屋租赁合同");
  expect(text).toContain(contractNo);
  expect(text).toContain("青禾公寓管理有限公司");
  expect(text).toContain("沈书瑶");
  expect(text).toContain("身份证 3301**********4521");
  expect(text).not.toContain("330106199503074521");
  expect(text).toContain("叁仟伍佰元整");
  expect(text).toContain("账单明细");
  for (const bill of preview.added) for (const line of bill.lines) expect(text).toContain(line.how);
  expect(text).toContain("签约当日");
  expect(text).toContain(preview.previewHash.slice(0, 16));
  expect(text).toContain("待签稿");
  // in the margin: nothing larger than the title is laid over what people read and sign
  expect(Math.max(...sizesInPdf(raw))).toBe(18);
});

test("what is to be signed on paper bears its number as a code to be scanned; a draft does not", async () => {
  const paperOf = async (contractId: number) =>
    (await house.ask(contractPaper, { as: shop.clerk }, { params: { id: contractId } })).raw;
  const { QrCode, Ecc } = await import("@rc-component/qrcode/lib/libs/qrcodegen.js");
  expect(codeInPdf(await paperOf(id))).toEqual(QrCode.encodeText(contractNo, Ecc.MEDIUM).getModules());
  const body = aForm({ ...shop, partyId }, { start: "2028-03-15" });
  const draft = await house.did(createContract, { as: shop.clerk }, { body });
  expect(codeInPdf(await paperOf(draft.id))).toEqual([]);
});

test("a long head of a template ends before the code and the mark", async () => {
  const head = "合".repeat(60);
  const paper = { blocks: [], foot: ["", ""] as [string, string], head };
  const linesOf = async (more: { mark: string; code?: string }) =>
    textOfPdf(await printed({ ...paper, ...more }, "页眉"))
      .split("\n")
      .filter((line) => line.includes("合"));
  // letters of 8 points between the margin and the code, the mark, or the other margin
  for (const [more, most] of [
    [{ mark: "待签稿", code: contractNo }, (595 - 140 - 50) / 8],
    [{ mark: "待签稿" }, (595 - 100 - 36) / 8],
    [{ mark: "" }, (595 - 100) / 8],
  ] as const) {
    const lines = await linesOf(more);
    expect(lines.join("")).toBe(head);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(most);
  }
});

test("the signed text has no mark, the scan keeps its hash and is checked against it", async () => {
  const other = { ...shop, roomId: shop.roomId, partyId };
  const form = aForm(other, { start: "2027-03-15" });
  const done = await signed(house, shop.clerk, form, "2026-03-12");
  const params = { id: done.id };
  const { raw } = await house.ask(contractPaper, { as: shop.clerk }, { params });
  expect(textOfPdf(raw)).not.toContain("待签");

  const [document] = await house.did(contractDocuments, { as: shop.clerk }, { params });
  expect(document).toMatchObject({ kind: "signed", name: "合同.pdf" });
  const one = { params: { ...params, documentId: document!.id } };
  const file = await house.ask(documentFile, { as: shop.clerk }, one);
  expect(file.raw.subarray(0, 5).toString()).toBe("%PDF-");
  expect(await house.did(checkDocument, { as: shop.clerk }, one)).toMatchObject({
    same: true,
    said: "文件未被改动",
    kept: document!.fileHash,
  });
  const { storageKey } = await house.database.db
    .selectFrom("storedFile")
    .select("storageKey")
    .where("targetKind", "=", "contract")
    .where("targetId", "=", done.id)
    .executeTakeFirstOrThrow();
  await house.files.remove(storageKey);
  const { key } = await house.files.put(Buffer.from("%PDF- forged"));
  await house.database.db
    .updateTable("storedFile")
    .set({ storageKey: key })
    .where("targetId", "=", done.id)
    .execute();
  const forged = await house.did(checkDocument, { as: shop.clerk }, one);
  expect(forged).toMatchObject({ same: false, said: "文件内容与签署时不一致" });
});

test("a print carries its reader's mark where the company wants one on PDFs", async () => {
  const print = async () => {
    const { raw } = await house.ask(contractPaper, { as: shop.clerk }, { params: { id } });
    return textOfPdf(raw);
  };
  expect(await print()).not.toContain("2026-03-12 仅供内部");
  await house.database.pool.query(
    `insert into watermark_config (enterprise_id, enabled, content, opacity, angle, gap, scopes)
     values ($1, true, '{date} 仅供内部', 12, -22, 120, '{pdfs}')`,
    [house.enterpriseId],
  );
  expect(await print()).toContain("2026-03-12 仅供内部");
});

test("the lessor of the store's seal is its Party A, as it was when the contract was handed in", async () => {
  const store = await aShop(house);
  const { villageId, clerk } = store;
  const lessorId = await aLessor(house, "滨江公寓");
  await aSeal(house, { villageIds: [villageId], operatorIds: [clerk.operatorId], lessorId });
  const named = async () =>
    house.database.db
      .selectFrom("lessor")
      .select(["name", "creditCode"])
      .where("id", "=", lessorId)
      .executeTakeFirstOrThrow();
  const { creditCode } = await named();
  const printed = async (of: number) =>
    textOfPdf((await house.ask(contractPaper, { as: clerk }, { params: { id: of } })).raw).replaceAll(
      "\n",
      "",
    );
  const draft = await house.did(createContract, { as: clerk }, { body: aForm(store) });
  expect(await printed(draft.id)).toContain(`滨江公寓统一社会信用代码${creditCode}`);
  const held = await submitted(house, clerk, aForm(store));
  expect(await printed(held.id)).toContain(`滨江公寓统一社会信用代码${creditCode}`);
  expect(await printed(held.id)).not.toContain("青禾公寓管理有限公司");

  await house.database.db
    .updateTable("lessor")
    .set({ name: "远郊公寓" })
    .where("id", "=", lessorId)
    .execute();
  expect(await printed(held.id)).toContain("滨江公寓");
  expect(await printed(draft.id)).toContain("远郊公寓");
  // a seal of somebody else does not close it
  const villageIds = [villageId];
  const other = await aSeal(house, { villageIds, operatorIds: [clerk.operatorId] });
  const to = { villageId, contractKind: "renter", lessorId } as const;
  await expect(acting(house, (act) => holdSeal(act, other, to))).rejects.toThrow("印章不属于合同的出租企业");
  await house.database.db.updateTable("lessor").set({ enabled: false }).where("id", "=", lessorId).execute();
  await expect(acting(house, (act) => sealFor(act, to))).rejects.toThrow("企业已停用");
  expect(await printed(draft.id)).toContain("青禾公寓管理有限公司");
  expect(await printed(held.id)).toContain("滨江公寓");
});

test("a lessor in whose name a contract was signed on paper is not deleted", async () => {
  const store = await aShop(house);
  const { villageId, clerk } = store;
  const lessorId = await aLessor(house, "滨江公寓");
  await aSeal(house, { villageIds: [villageId], operatorIds: [clerk.operatorId], lessorId });
  const keeper = await house.person({ permits: ["95.get", "95.delete"], villages: [villageId] });
  const removal = async () =>
    house.ask(
      deleteLessor,
      { as: keeper },
      {
        params: { id: lessorId },
        query: {
          version: (await house.did(getLessor, { as: keeper }, { params: { id: lessorId } })).version,
        },
      },
    );
  const { id: contractId } = await signed(house, clerk, aForm(store), "2026-03-12");
  expect((await removal()).body.message).toBe("该企业已有合同");
  await house.database.pool.query("update contract set lessor_snapshot = null where id = $1", [contractId]);
  expect((await removal()).status).toBe(200);
});
