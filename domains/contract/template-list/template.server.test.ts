import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { listContracts } from "../contract/contract.contract.ts";
import { aForm, aRenter, aRoom, submitted } from "../contract/contract.sample.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { contractTemplates, draftPaper } from "../paper/paper.contract.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { submitContract, withdrawContract } from "../signing/signing.contract.ts";
import * as calls from "../template/template.contract.ts";
import { aDesk, SIGN } from "./template.sample.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const { shop, as, got, aTemplate, edited, asked, published, disabled, versions, paperText } =
  await aDesk(house);
test(
  "contracts in signing keep version 1, the next one takes version 2 with its new clause",
  { timeout: 60_000 },
  async () => {
    const id = await aTemplate();
    expect(await published(id)).toMatchObject({ no: 1 });
    const first = await submitted(house, shop.clerk, aForm(shop));
    const text = await paperText(first.id);
    expect(text).toContain("叁仟伍佰元整");
    expect(text).toContain("房屋租赁合同");
    expect(text).toContain("待签稿");
    expect(text).toContain("骑缝章".slice(0, 1));
    expect(text).not.toContain("饲养宠物");

    const { html } = await got(id);
    await edited(
      id,
      `${html}<p data-anchor="7.9">乙方不得饲养宠物，月租金 <span data-field="月租金大写"></span>。</p>`,
      {
        head: "{企业名称}",
        foot: "第 {房间数} 间",
      },
    );
    expect(await got(id)).toMatchObject({ no: 1, draft: "open", draftNo: 2, uses: 1 });
    expect(await paperText(first.id)).not.toContain("饲养宠物");
    expect(await published(id)).toMatchObject({ no: 2 });
    expect(await paperText(first.id)).not.toContain("饲养宠物");

    const roomId = await aRoom(house, shop.building, "1204");
    const second = await submitted(house, shop.clerk, aForm({ ...shop, roomId }));
    const next = await paperText(second.id);
    expect(next).toContain("7.9 乙方不得饲养宠物，月租金 叁仟伍佰元整。");
    expect(next).toContain("第 1 间");
    expect(next).toContain(second.preview.previewHash.slice(0, 16));
    const { rows } = await house.database.pool.query(
      "select c.id, v.no from contract c join template_version v on v.id = c.template_version_id order by c.id",
    );
    expect(rows).toEqual([
      { id: first.id, no: 1 },
      { id: second.id, no: 2 },
    ]);

    // back in the draft it has none, and takes what is in force when it is handed in again
    const back = { params: { id: first.id }, body: { reason: "改条款" } };
    await house.did(withdrawContract, { as: shop.clerk }, back);
    const preview = await house.did(previewContract, { as: shop.clerk }, { body: { id: first.id } });
    const body = { previewHash: preview.previewHash };
    await house.did(submitContract, { as: shop.clerk }, { params: { id: first.id }, body });
    expect(await paperText(first.id)).toContain("饲养宠物");

    // the number of uses opens as many contracts
    const inIt = await house.did(listContracts, { as: shop.clerk }, { query: { templateId: id } });
    expect(inIt.total).toBe((await got(id)).uses);
    expect(inIt.list.map((c) => c.id).toSorted()).toEqual([first.id, second.id]);

    const list = await versions(id);
    expect(list).toMatchObject([
      {
        no: 2,
        state: "published",
        uses: 2,
        effectiveFrom: "2026-03-12",
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      { no: 1, state: "retired", uses: 0 },
    ]);
    const query = { from: list[1]!.id, to: list[0]!.id };
    const { lines } = await house.did(calls.compareVersions, { as }, { params: { id }, query });
    expect(lines.filter((l) => l.kind !== "same")).toEqual([
      { kind: "added", text: "页眉：{企业名称}" },
      { kind: "added", text: "7.9 乙方不得饲养宠物，月租金 {月租金大写}。" },
      { kind: "added", text: "页脚：第 {房间数} 间" },
    ]);
    await disabled(id);
  },
);

test(
  "a draft chooses among the templates of its village and kind; one that is no longer offered is refused",
  { timeout: 60_000 },
  async () => {
    const [one, two, firm] = [
      await aTemplate(),
      await aTemplate(),
      await aTemplate({ docKind: "companyContract" }),
    ];
    await edited(two, `<p>第二份</p><p>${'<span data-field="客户电话"></span>'}</p>${SIGN}`);
    for (const id of [one, two, firm]) await published(id);
    const roomId = await aRoom(house, shop.building, "1301");
    const partyId = await aRenter(house, shop.villageId);
    const draft = await house.did(
      createContract,
      { as: shop.clerk },
      { body: aForm({ ...shop, roomId, partyId }) },
    );
    const params = { id: draft.id };
    const offers = await house.did(contractTemplates, { as: shop.clerk }, { params });
    expect(offers.map((o) => o.name)).toEqual([(await got(two)).name, (await got(one)).name]);
    expect(offers[0]!.missing).toEqual([]);
    expect(offers[1]!.missing).toContain("客户证件");

    const old = offers[1]!.versionId;
    const drawn = async (templateVersionId: number) => {
      const { raw, status } = await house.ask(
        draftPaper,
        { as: shop.clerk },
        { params, query: { templateVersionId } },
      );
      return status === 200 ? textOfPdf(raw).replaceAll("\n", "") : status;
    };
    expect(await drawn(offers[0]!.versionId)).toContain("第二份");
    expect(await drawn(old)).not.toContain("第二份");

    const { previewHash } = await house.did(previewContract, { as: shop.clerk }, { body: draft });
    await disabled(one);
    const hand = (templateVersionId: number) =>
      house.ask(
        submitContract,
        { as: shop.clerk, key: randomUUID() },
        { params, body: { previewHash, templateVersionId } },
      );
    expect(await hand(old)).toMatchObject({
      status: 409,
      body: { message: "所选合同模板已停用或有新版本，请重新选择模板" },
    });
    expect(await drawn(old)).toBe(409);
    // nor one of another kind
    expect((await hand((await got(firm)).versionId!)).status).toBe(409);
    expect((await hand(offers[0]!.versionId)).status).toBe(200);
    await disabled(two);
    await disabled(firm);
  },
);

test("without a template the built-in paper stays", { timeout: 60_000 }, async () => {
  const roomId = await aRoom(house, shop.building, "1302");
  const { id } = await submitted(house, shop.clerk, aForm({ ...shop, roomId }));
  expect(await paperText(id)).toContain("附件 账单明细");
  expect(await house.did(contractTemplates, { as: shop.clerk }, { params: { id } })).toEqual([]);
});

test("a version that begins on a later day waits until then", { timeout: 60_000 }, async () => {
  const id = await aTemplate();
  await edited(id, `<p>第一版</p>${SIGN}`);
  await published(id);
  await edited(id, `<p>第二版</p>${SIGN}`);
  expect(await asked(id, "2026-03-11")).toMatchObject({
    status: 400,
    body: { message: "生效日不能早于今天" },
  });
  await published(id, "2026-03-20");
  const states = async () => (await versions(id)).map((v) => v.state);
  expect(await states()).toEqual(["waiting", "published"]);
  expect(await got(id)).toMatchObject({ no: 1, effectiveFrom: "2026-03-12" });
  await edited(id, `<p>第三版</p>${SIGN}`);
  expect(await asked(id, "2026-03-19")).toMatchObject({
    body: { message: "生效日不能早于第 2 版的生效日 2026-03-20" },
  });
  house.setClock("2026-03-20T10:00:00+08:00");
  expect(await states()).toEqual(["draft", "published", "retired"]);
  expect(await got(id)).toMatchObject({ no: 2, draftNo: 3 });
  house.setClock("2026-03-12T10:00:00+08:00");
  await disabled(id);
});

test(
  "a published version is unchangeable, in the database too; a used template stays, an unused one goes",
  { timeout: 60_000 },
  async () => {
    const id = await aTemplate();
    await published(id);
    const change = (set: string) =>
      house.database.pool.query(`update template_version set ${set} where template_id = $1`, [id]);
    await expect(change("html = '<p>x</p>'")).rejects.toThrow("a published version stays");
    await expect(change("published_at = null, effective_from = null, hash = null")).rejects.toThrow("stays");
    const roomId = await aRoom(house, shop.building, "1401");
    await submitted(house, shop.clerk, aForm({ ...shop, roomId }));
    const remove = async (one: number) => {
      const { version } = await got(one);
      return house.ask(calls.deleteTemplate, { as }, { params: { id: one }, query: { version } });
    };
    expect(await remove(id)).toMatchObject({
      status: 409,
      body: { message: "模板已被 1 份文件使用，不能删除，可以停用" },
    });
    await expect(
      house.database.pool.query("delete from document_template where id = $1", [id]),
    ).rejects.toThrow("contract_template_version_id_fkey");
    await disabled(id);
    const unused = await aTemplate();
    await published(unused);
    expect((await remove(unused)).status).toBe(200);
    expect((await house.ask(calls.getTemplate, { as }, { params: { id: unused } })).status).toBe(404);
  },
);

test(
  "the preview: a made-up contract, or a real one of its kind whose paper the reader may print",
  { timeout: 60_000 },
  async () => {
    const id = await aTemplate();
    const versionId = (await versions(id))[0]!.id;
    const render = async (person: typeof as, more: object = {}) => {
      const body = { templateVersionId: versionId, ...more };
      const { raw, status, body: answer } = await house.ask(calls.renderTemplate, { as: person }, { body });
      return status === 200 ? textOfPdf(raw).replaceAll("\n", "") : [status, answer.message];
    };
    expect(await render(as)).toContain("样例租客");
    expect(await render(as, { sample: "company" })).toContain("样例 130");
    const roomId = await aRoom(house, shop.building, "1501");
    const partyId = await aRenter(house, shop.villageId, { name: "沈书瑶" });
    const { id: contractId } = await submitted(house, shop.clerk, aForm({ ...shop, roomId, partyId }));
    expect(await render(as, { contractId })).toEqual([403, "没有权限执行此操作"]);
    const both = await house.person({ permits: ["10.get", "9.get"], villages: [shop.villageId] });
    expect(await render(both, { contractId })).toContain("沈书瑶");
    const elsewhere = await house.person({
      permits: ["10.get", "9.get"],
      villages: [await aVillage(house, { name: "远郊二店" })],
    });
    expect(await render(elsewhere)).toEqual([404, "记录不存在"]);
    const firm = await aTemplate({ docKind: "companyContract" });
    const other = (await versions(firm))[0]!.id;
    expect(await render(both, { contractId, templateVersionId: other })).toEqual([
      400,
      "该模板只用于企业合同",
    ]);
    const { raw, headers } = await house.ask(calls.templatePdf, { as }, { params: { id: firm } });
    expect(decodeURIComponent(String(headers["content-disposition"]))).toContain("第1版.pdf");
    expect(textOfPdf(raw)).toContain("企业房屋租赁合同");
  },
);
