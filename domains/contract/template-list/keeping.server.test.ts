import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import * as calls from "../template/template.contract.ts";
import { aDesk, LEGAL, SIGN } from "./template.sample.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const { shop, as, got, aTemplate, edited, asked, published, disabled } = await aDesk(house);
test("what a contract would stumble over is refused with its place", { timeout: 60_000 }, async () => {
  const id = await aTemplate();
  const said = async (html: string, head = "") => {
    await edited(id, html, { head });
    const { status, body } = await asked(id);
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
  expect(await asked(id)).toMatchObject({
    status: 409,
    body: { message: "没有未发布的修改，请先编辑模板" },
  });
  await disabled(id);
});

test(
  "a hostile text is cleaned with a word about it, or refused with its bound; nothing of it is kept",
  { timeout: 60_000 },
  async () => {
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
  },
);

test("two people at one template: the second is told", { timeout: 60_000 }, async () => {
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

test("the list: words, warnings and switches", { timeout: 60_000 }, async () => {
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
  expect((await rows({ keyword: (await got(two)).code })).map((r) => r.id)).toEqual([two]);
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

test("a copy is a draft of its own; a code is taken once", { timeout: 60_000 }, async () => {
  const id = await aTemplate();
  await edited(id, `<p>原文</p>${SIGN}`);
  await published(id);
  const copy = (code: string) =>
    house.ask(calls.copyTemplate, { as }, { params: { id }, body: { code, name: "副本" } });
  expect((await copy((await got(id)).code)).body.message).toBe("编码已存在");
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

test(
  "a template of several villages is changed by who manages all of them; what lies elsewhere is not there",
  { timeout: 60_000 },
  async () => {
    const far = await aVillage(house, { name: "远郊店" });
    const chief = await house.person({ permits: LEGAL, villages: [shop.villageId, far] });
    const body = {
      code: "BOTH",
      name: "两店合同",
      docKind: "renterContract" as const,
      villageIds: [shop.villageId, far],
    };
    const { id } = await house.did(calls.addTemplate, { as: chief }, { body });
    expect(await got(id)).toMatchObject({
      editable: false,
      villages: "2 个门店",
      villageIds: [shop.villageId],
      aloneIn: "",
    });
    const publish = { params: { id }, body: { effectiveFrom: "2026-03-12", version: 1 } };
    expect(await house.ask(calls.publishTemplate, { as }, publish)).toMatchObject({
      status: 403,
      body: { message: "该模板含您不能管理的门店，请由可管理其全部门店的人员修改" },
    });
    await house.did(calls.publishTemplate, { as: chief }, publish);
    expect((await got(id)).aloneIn).toBe("滨江店");
    const { aloneIn } = await house.did(calls.getTemplate, { as: chief }, { params: { id } });
    expect(aloneIn).toBe("滨江店、远郊店");
    const there = await house.did(
      calls.addTemplate,
      { as: chief },
      { body: { ...body, code: "FAR", villageIds: [far] } },
    );
    expect((await house.ask(calls.getTemplate, { as }, { params: { id: there.id } })).status).toBe(404);
    expect(
      (
        await house.ask(
          calls.compareVersions,
          { as },
          { params: { id: there.id }, query: { from: 1, to: 1 } },
        )
      ).status,
    ).toBe(404);
    const mine = { ...body, code: "X", villageIds: [far] };
    expect((await house.ask(calls.addTemplate, { as }, { body: mine })).status).toBe(404);
  },
);
