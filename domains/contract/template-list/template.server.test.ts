import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { aForm, aRenter, aRoom, aShop, submitted } from "../contract/contract.sample.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { contractPaper, contractTemplates, draftPaper } from "../paper/paper.contract.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { submitContract, withdrawContract } from "../signing/signing.contract.ts";
import * as calls from "../template/template.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const LEGAL = [
  "10.query",
  "10.get",
  "10.add",
  "10.edit",
  "10.delete",
  "10.enable",
  "10.disable",
  "10.export",
];
const legal = await house.person({ permits: LEGAL, villages: [shop.villageId] });
const as = legal;
const SIGN = '<p><span data-field="客户签字"></span></p>';

let codes = 0;
async function aTemplate(
  more: { docKind?: "renterContract" | "companyContract"; villageIds?: number[] } = {},
) {
  const body = {
    code: `T-${++codes}`,
    name: `租客合同 ${codes}`,
    docKind: "renterContract" as const,
    villageIds: [shop.villageId],
    ...more,
  };
  const { id } = await house.did(calls.addTemplate, { as }, { body });
  return id;
}
const got = (id: number) => house.did(calls.getTemplate, { as }, { params: { id } });
async function edited(id: number, html: string, more: { head?: string; foot?: string } = {}) {
  const { name, villageIds, version } = await got(id);
  return house.did(
    calls.editTemplate,
    { as },
    {
      params: { id },
      body: { name, villageIds, html, head: "", foot: "", ...more, version },
    },
  );
}
async function published(id: number, effectiveFrom = "2026-03-12") {
  const { version } = await got(id);
  return house.did(calls.publishTemplate, { as }, { params: { id }, body: { effectiveFrom, version } });
}
const refused = async (id: number, effectiveFrom = "2026-03-12") => {
  const { version } = await got(id);
  return house.ask(calls.publishTemplate, { as }, { params: { id }, body: { effectiveFrom, version } });
};
async function disabled(id: number) {
  const { version } = await got(id);
  return house.did(calls.disableTemplate, { as }, { params: { id }, body: { version } });
}
const paperText = async (id: number) => {
  const { raw } = await house.ask(contractPaper, { as: shop.clerk }, { params: { id } });
  return textOfPdf(raw).replaceAll("\n", "");
};

test("contracts in signing keep version 1, the next one takes version 2 with its new clause", async () => {
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

  const list = await house.did(calls.templateVersions, { as }, { params: { id } });
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
});

test("a draft chooses among the templates of its village and kind; one that is no longer offered is refused", async () => {
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
  expect(offers.map((o) => o.name)).toEqual([`租客合同 ${codes - 1}`, `租客合同 ${codes - 2}`]);
  expect(offers[0]!.missing).toEqual([]);
  expect(offers[1]!.missing).toContain("客户证件");

  const old = offers[1]!.versionId;
  const drawn = async (templateVersionId: number) => {
    const { raw, status } = await house.ask(
      draftPaper,
      { as: shop.clerk },
      { params: { ...params, templateVersionId } },
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
});

test("without a template the built-in paper stays", async () => {
  const roomId = await aRoom(house, shop.building, "1302");
  const { id } = await submitted(house, shop.clerk, aForm({ ...shop, roomId }));
  expect(await paperText(id)).toContain("附件 账单明细");
  expect(await house.did(contractTemplates, { as: shop.clerk }, { params: { id } })).toEqual([]);
});

test("a version that begins on a later day waits until then", async () => {
  const id = await aTemplate();
  await edited(id, `<p>第一版</p>${SIGN}`);
  await published(id);
  await edited(id, `<p>第二版</p>${SIGN}`);
  expect(await refused(id, "2026-03-11")).toMatchObject({
    status: 400,
    body: { message: "生效日不能早于今天" },
  });
  await published(id, "2026-03-20");
  const states = async () =>
    (await house.did(calls.templateVersions, { as }, { params: { id } })).map((v) => v.state);
  expect(await states()).toEqual(["waiting", "published"]);
  expect(await got(id)).toMatchObject({ no: 1, effectiveFrom: "2026-03-12" });
  await edited(id, `<p>第三版</p>${SIGN}`);
  expect(await refused(id, "2026-03-19")).toMatchObject({
    body: { message: "生效日不能早于第 2 版的生效日 2026-03-20" },
  });
  house.setClock("2026-03-20T10:00:00+08:00");
  expect(await states()).toEqual(["draft", "published", "retired"]);
  expect(await got(id)).toMatchObject({ no: 2, draftNo: 3 });
  house.setClock("2026-03-12T10:00:00+08:00");
  await disabled(id);
});

test("what a contract would stumble over is refused with its place", async () => {
  const id = await aTemplate();
  const said = async (html: string, head = "") => {
    await edited(id, html, { head });
    const { status, body } = await refused(id);
    return [status, body.message];
  };
  expect(await said(`<p><span data-field="月租"></span></p>${SIGN}`)).toEqual([422, "模板字段 月租 不存在"]);
  expect(await said(SIGN, "{编号}")).toEqual([422, "模板字段 编号 不存在"]);
  expect(await said("<p>甲</p>")).toEqual([422, "缺少客户签字位置"]);
  expect(await said("")).toEqual([422, "模板没有内容"]);
  const many = Array.from({ length: 7 }, (_, i) => `<p><span data-field="无${i}"></span></p>`).join("");
  expect((await said(many + SIGN))[1]).toBe(
    "模板字段 无0 不存在；模板字段 无1 不存在；模板字段 无2 不存在；模板字段 无3 不存在；模板字段 无4 不存在；另有 2 处",
  );
  const wide = `<table><tr><td>${"很长的一格".repeat(100)}</td>${"<td>1</td>".repeat(9)}</tr></table>${SIGN}`;
  const [status, message] = await said(wide);
  expect(status).toBe(422);
  expect(message).toContain("样例：租客：表格中“很长的一格很长的一格很长的一格很长的一格…”所在的行超出一页");
  await edited(id, SIGN);
  await published(id);
  expect(await refused(id)).toMatchObject({
    status: 409,
    body: { message: "没有未发布的修改，请先编辑模板" },
  });
  await disabled(id);
});

test("a hostile text is cleaned with a word about it, or refused with its bound; nothing of it is kept", async () => {
  const id = await aTemplate();
  const { removed } = await edited(
    id,
    `<p onclick="x()">甲<script>alert(1)</script><img src="http://evil.test/a"></p>${SIGN}`,
  );
  expect(removed).toEqual(["script", "img"]);
  expect((await got(id)).html).toBe(`<p>甲</p>${SIGN}`);
  const { name, villageIds, version } = await got(id);
  const send = (html: string) =>
    house.ask(calls.editTemplate, { as }, { params: { id }, body: { name, villageIds, html, version } });
  expect((await send("<table><tr><td>".repeat(3))).body.message).toBe("表格里不能再放表格");
  expect((await send("x".repeat(100_001))).body.message).toBe("模板内容过大，最多 100KB");
  expect((await got(id)).html).toBe(`<p>甲</p>${SIGN}`);
});

test("a published version is unchangeable, in the database too; a used template stays, an unused one goes", async () => {
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
    body: { message: "模板已被 1 份合同使用，不能删除，可以停用" },
  });
  await expect(
    house.database.pool.query("delete from document_template where id = $1", [id]),
  ).rejects.toThrow("contract_template_version_id_fkey");
  await disabled(id);
  const unused = await aTemplate();
  await published(unused);
  expect((await remove(unused)).status).toBe(200);
  expect((await house.ask(calls.getTemplate, { as }, { params: { id: unused } })).status).toBe(404);
});

test("two people at one template: the second is told", async () => {
  const id = await aTemplate();
  const { name, villageIds, html, version } = await got(id);
  const body = { name, villageIds, html, head: "一", foot: "", version };
  const answers = await Promise.all(
    ["一", "二"].map((head) =>
      house.ask(calls.editTemplate, { as }, { params: { id }, body: { ...body, head } }),
    ),
  );
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
  expect(answers.find((a) => a.status === 409)!.body.message).toBe("数据已被他人修改，请刷新后重试");
  const late = { params: { id }, body: { effectiveFrom: "2026-03-12", version } };
  expect((await house.ask(calls.publishTemplate, { as }, late)).status).toBe(409);
  // saving what is published already makes no draft
  await published(id);
  const now = await got(id);
  await edited(id, now.html, { head: now.head });
  expect(await got(id)).toMatchObject({ draft: "none", draftNo: null });
  await disabled(id);
});

test("the list: words, warnings and switches", async () => {
  const [one, two] = [await aTemplate(), await aTemplate()];
  const rows = async (query: object = {}) =>
    (await house.did(calls.listTemplates, { as }, { query: query as never })).list;
  const row = async (id: number) => (await rows({ pageSize: 100 })).find((r) => r.id === id)!;
  expect(await row(one)).toMatchObject({
    state: "draft",
    draft: "open",
    no: null,
    uses: 0,
    aloneIn: "",
    editable: true,
  });
  await published(one);
  const { aloneIn, villages } = await row(one);
  expect(aloneIn).toBe(villages);
  await published(two);
  expect(await row(one)).toMatchObject({ aloneIn: "", state: "enabled", draft: "none" });
  expect((await rows({ keyword: `T-${codes}` })).map((r) => r.id)).toEqual([two]);
  expect(
    (await rows({ docKind: "companyContract,merchantContract" })).every(
      (r) => r.docKind !== "renterContract",
    ),
  ).toBe(true);
  await disabled(one);
  expect((await rows({ state: "disabled" })).map((r) => r.id)).toContain(one);
  expect((await row(two)).aloneIn).toBe(villages);
  const { version } = await got(one);
  const params = { id: one };
  expect(await house.ask(calls.disableTemplate, { as }, { params, body: { version } })).toMatchObject({
    status: 409,
    body: { message: "模板已停用" },
  });
  await house.did(calls.enableTemplate, { as }, { params, body: { version } });
  expect(await row(one)).toMatchObject({ state: "enabled" });
  const fresh = await aTemplate();
  expect(
    await house.ask(calls.enableTemplate, { as }, { params: { id: fresh }, body: { version: 1 } }),
  ).toMatchObject({ status: 409, body: { message: "模板还没有发布过，请先发布" } });
  await disabled(one);
  await disabled(two);
});

test("a copy is a draft of its own; a code is taken once", async () => {
  const id = await aTemplate();
  await edited(id, `<p>原文</p>${SIGN}`);
  await published(id);
  const copy = (code: string) =>
    house.ask(calls.copyTemplate, { as }, { params: { id }, body: { code, name: "副本" } });
  expect((await copy(`T-${codes}`)).body.message).toBe("编码已存在");
  expect((await copy("a b")).body.message).toBe("编码由字母、数字和短横线组成，最多30位");
  const made = await copy("COPY-1");
  expect(await got((made.body.data as { id: number }).id)).toMatchObject({
    html: `<p>原文</p>${SIGN}`,
    state: "draft",
    draftNo: 1,
    docKind: "renterContract",
  });
  await disabled(id);
});

test("the preview: a made-up contract, or a real one of its kind whose paper the reader may print", async () => {
  const id = await aTemplate();
  const versionId = (await house.did(calls.templateVersions, { as }, { params: { id } }))[0]!.id;
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
  const other = (await house.did(calls.templateVersions, { as }, { params: { id: firm } }))[0]!.id;
  expect(await render(both, { contractId, templateVersionId: other })).toEqual([400, "该模板只用于企业合同"]);
  const { raw, headers } = await house.ask(calls.templatePdf, { as }, { params: { id: firm } });
  expect(decodeURIComponent(String(headers["content-disposition"]))).toContain("第1版.pdf");
  expect(textOfPdf(raw)).toContain("企业房屋租赁合同");
});

test("a template of several villages is changed by who manages all of them; what lies elsewhere is not there", async () => {
  const far = await aVillage(house, { name: "远郊店" });
  const chief = await house.person({ permits: LEGAL, villages: [shop.villageId, far] });
  const body = {
    code: "BOTH",
    name: "两店合同",
    docKind: "renterContract" as const,
    villageIds: [shop.villageId, far],
  };
  const { id } = await house.did(calls.addTemplate, { as: chief }, { body });
  expect(await got(id)).toMatchObject({ editable: false, villages: "2 个门店" });
  const publish = { params: { id }, body: { effectiveFrom: "2026-03-12", version: 1 } };
  expect(await house.ask(calls.publishTemplate, { as }, publish)).toMatchObject({
    status: 403,
    body: { message: "该模板含您不能管理的门店，请由可管理其全部门店的人员修改" },
  });
  const there = await house.did(
    calls.addTemplate,
    { as: chief },
    { body: { ...body, code: "FAR", villageIds: [far] } },
  );
  expect((await house.ask(calls.getTemplate, { as }, { params: { id: there.id } })).status).toBe(404);
  expect(
    (await house.ask(calls.compareVersions, { as }, { params: { id: there.id }, query: { from: 1, to: 1 } }))
      .status,
  ).toBe(404);
  const mine = { ...body, code: "X", villageIds: [far] };
  expect((await house.ask(calls.addTemplate, { as }, { body: mine })).status).toBe(404);
});
