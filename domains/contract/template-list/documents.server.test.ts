import { expect, test } from "vitest";
import { type Call, type Sent } from "../../../platform/kernel/call.ts";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { flowReceipt } from "../../finance/flow/flow.contract.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { amendActs, supplementFile } from "../amendment/amendment.contract.ts";
import { anAmender } from "../amendment/amendment.sample.ts";
import { lendArchive, lendSlip, listArchives, storeArchives } from "../archive/archive.contract.ts";
import { aForm, aRenter, aRoom, aScan, signed } from "../contract/contract.sample.ts";
import { dunningLetter } from "../document/document.contract.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { settlementActs, settlementSheetFile } from "../settlement/settlement.contract.ts";
import * as calls from "../template/template.contract.ts";
import { aDesk, LEGAL, SIGN } from "./template.sample.ts";

const house = await testHouse();
const at = await anAmender(house);
const { shop, as } = at;
const { aTemplate, edited, published, disabled, got, versions } = await aDesk(house, shop);
let rooms = 0;

async function lease() {
  at.on("2026-03-12");
  const roomId = await aRoom(house, shop.building, `T${++rooms}`);
  const partyId = await aRenter(house, shop.villageId, { name: "沈书瑶" });
  const { id, contractNo } = await signed(house, as, aForm({ ...shop, roomId, partyId }), "2026-03-12");
  return { id, contractNo, partyId };
}
async function printed<C extends Call>(call: C, person: Person, sent: Sent<C>) {
  const { raw, status, body } = await house.ask(call, { as: person }, sent as never);
  return status === 200 ? textOfPdf(raw).replaceAll("\n", "") : `${status} ${body.message}`;
}
const field = (name: string) => `<span data-field="${name}"></span>`;
const holds = (...permits: string[]) => house.person({ permits, villages: [shop.villageId] });
const longer = { effectiveOn: "2026-03-20", reason: "延长租期", end: "2027-04-14" };
const asked = async (contractId: number) =>
  (await house.did(amendActs.ask, { as }, { body: { contractId, ...longer } as never })).id;
async function handedIn(contractId: number) {
  const id = await asked(contractId);
  const { previewHash } = (await house.did(amendActs.preview, { as }, { params: { id }, body: {} })) as {
    previewHash: string;
  };
  await house.did(amendActs.submit, { as }, { params: { id }, body: { version: 1, previewHash } });
  return id;
}
const supplement = (id: number) => printed(supplementFile, as, { params: { id } });

test(
  "a supplement is in the words in force when it is handed in, and keeps them",
  { timeout: 60_000 },
  async () => {
    const plain = await handedIn((await lease()).id);
    expect(await supplement(plain)).toContain("租赁合同补充协议");

    const id = await aTemplate({ docKind: "supplement" });
    await edited(
      id,
      `<h1>本店补充协议</h1><p>${field("客户名称")} 与 ${field("企业名称")}：${field("变更条款")}</p><p>第一版</p>${SIGN}`,
      { head: "{协议编号}" },
    );
    await published(id);
    const one = await asked((await lease()).id);
    // while it is worked on it looks as it will be handed in
    expect(await supplement(one)).toContain("第一版");
    const first = await handedIn((await lease()).id);
    const text = await supplement(first);
    for (const said of ["本店补充协议", "沈书瑶 与 青禾公寓管理有限公司", "2027-04-14。", "第一版", "BC2026"])
      expect(text).toContain(said);
    // what was handed in before stays in the built-in words
    expect(await supplement(plain)).toContain("租赁合同补充协议");

    await edited(id, `<p>第二版</p>${SIGN}`);
    await published(id, "2026-03-13");
    // the day has not come
    expect(await supplement(await handedIn((await lease()).id))).toContain("第一版");
    at.on("2026-03-13");
    expect(await supplement(first)).toContain("第一版");
    expect(await supplement(one)).toContain("第二版");
    expect((await got(id)).uses).toBe(2);
    const { version } = await got(id);
    expect(
      (
        await house.ask(
          calls.deleteTemplate,
          { as: (await holds(...LEGAL))! },
          { params: { id }, query: { version } },
        )
      ).body.message,
    ).toBe("模板已被 2 份文件使用，不能删除，可以停用");
    await expect(
      house.database.pool.query("delete from document_template where id = $1", [id]),
    ).rejects.toThrow("document_wording_template_version_id_fkey");
    await disabled(id);
    expect(await supplement(first)).toContain("第一版");
  },
);

test(
  "the template for the kind of contract goes before the one for any; one of another store is not used",
  { timeout: 60_000 },
  async () => {
    const far = await aVillage(house, { name: "远郊三店" });
    const chief = await house.person({ permits: LEGAL, villages: [shop.villageId, far] });
    const made = async (code: string, body: object, text: string) => {
      const facts = { code, name: `补充协议 ${code}`, docKind: "supplement" as const, ...body };
      const { id } = await house.did(calls.addTemplate, { as: chief }, { body: facts as never });
      const { name, villageIds, version } = await house.did(
        calls.getTemplate,
        { as: chief },
        { params: { id } },
      );
      const edit = { name, villageIds, html: `<p>${text}</p>${SIGN}`, head: "", foot: "", version };
      await house.did(calls.editTemplate, { as: chief }, { params: { id }, body: edit });
      const publish = { effectiveFrom: "2026-03-13", version: version + 1 };
      await house.did(calls.publishTemplate, { as: chief }, { params: { id }, body: publish });
      return id;
    };
    at.on("2026-03-13");
    await made("FAR-1", { villageIds: [far] }, "远郊的文字");
    const { id: contractId } = await lease();
    at.on("2026-03-13");
    const act = await asked(contractId);
    expect(await supplement(act)).toContain("租赁合同补充协议");
    const villageIds = [shop.villageId];
    const renter = await made("REN-1", { villageIds, contractKind: "renter" }, "租客的文字");
    const firm = await made("COM-1", { villageIds, contractKind: "company" }, "企业的文字");
    const any = await made("ANY-1", { villageIds }, "通用的文字");
    expect(await supplement(act)).toContain("租客的文字");
    const list = async (query: object) =>
      (await house.did(calls.listTemplates, { as: chief }, { query: query as never })).list.map((t) => t.id);
    const found = await list({ docKind: "supplement", contractKind: "renter", state: "enabled" });
    expect(found).toEqual(expect.arrayContaining([renter, any]));
    expect(found).not.toContain(firm);
    await disabled(renter);
    expect(await supplement(act)).toContain("通用的文字");
    await disabled(any);
    await disabled(firm);
    // a contract's own kind is not another one's, and a slip of the archive has none
    const wrong = { code: "X-1", name: "租客合同", docKind: "renterContract" as const, villageIds };
    const { id } = await house.did(
      calls.addTemplate,
      { as: chief },
      { body: { ...wrong, contractKind: "company" } },
    );
    expect(await got(id)).toMatchObject({ contractKind: "renter" });
    const raw = (set: string) =>
      house.database.pool.query(`update document_template set ${set} where id = ${id}`);
    await expect(raw("contract_kind = 'company'")).rejects.toThrow("document_template_contract_kind");
    await expect(raw("doc_kind = 'lendSlip'")).rejects.toThrow("document_template_contract_kind");
  },
);

test(
  "a field of another kind of document is refused at publishing, with the place that does not fit",
  { timeout: 60_000 },
  async () => {
    const id = await aTemplate({ docKind: "settlementSheet" });
    const publish = async (html: string) => {
      await edited(id, html);
      const { version } = await got(id);
      const body = { effectiveFrom: "2026-03-13", version };
      const legal = await holds(...LEGAL);
      return (await house.ask(calls.publishTemplate, { as: legal }, { params: { id }, body })).body.message;
    };
    expect(await publish(`<p>${field("变更条款")}</p>`)).toBe("模板字段 变更条款 不存在");
    const wide = `<table><tr><td>${"很长的一格".repeat(100)}</td>${"<td>1</td>".repeat(9)}</tr></table>`;
    expect(await publish(wide)).toContain("样例：租客：表格中“很长的一格");
  },
);

test(
  "a settlement sheet, a slip and a receipt are in the store's words; each keeps its own",
  { timeout: 90_000 },
  async () => {
    type Kind = "renterContract" | "settlementSheet" | "lendSlip" | "receipt";
    const words = async (docKind: Kind, text: string) => {
      const id = await aTemplate({ docKind });
      await edited(id, text);
      await published(id, "2026-03-12");
      return id;
    };
    at.on("2026-03-12");
    const sheet = await words(
      "settlementSheet",
      `<p>本店结算 ${field("结算金额大写")}</p><div data-table="结算明细表"></div>`,
    );
    const slip = await words("lendSlip", `<p>本店借条 ${field("借阅人")}</p>`);
    const receipt = await words("receipt", `<p>本店收据 ${field("收款金额大写")}</p>`);
    const own = await words("renterContract", `<p data-anchor="9">${field("违约条款")}</p>${SIGN}`);
    const { id: contractId, partyId } = await lease();
    await disabled(own);

    const bills = await at.bills(contractId);
    await at.pay(partyId, [bills[0]!.id]);
    const { rows } = await at.pool.query("select id from flow order by id desc limit 1");
    const flowId = Number(rows[0].id);
    const cashier = await holds("102.get");
    const slipOfMoney = () => printed(flowReceipt, cashier, { params: { id: flowId } });
    expect(await slipOfMoney()).toContain("本店收据 叁仟伍佰元整");

    const keeper = await holds("226.query", "226.get", "226.add", "#22601");
    const { list } = await house.did(listArchives, { as: keeper }, { query: { contractId } });
    const params = { id: list[0]!.id };
    await house.did(
      storeArchives,
      { as: keeper },
      { body: { ids: [params.id], warehouse: "A", cabinet: "1", shelf: "2" } },
    );
    const reader = await house.person({ villages: [shop.villageId], name: "李思远" });
    const loan = {
      version: 2,
      borrowerId: reader.operatorId,
      purpose: "核对条款",
      lentOn: "2026-03-12",
      dueOn: "2026-03-19",
    };
    await house.did(lendArchive, { as: keeper }, { params, body: loan });
    expect(await printed(lendSlip, keeper, { params })).toContain("本店借条 李思远");

    at.on("2026-03-16");
    const leaving = {
      contractId,
      effectiveOn: "2026-03-16",
      endReason: "early",
      noticeOn: "2026-03-16",
      reason: "工作调动",
      penaltyReason: "",
      charges: [],
    };
    const { id } = await house.did(settlementActs.ask, { as }, { body: leaving as never });
    const draft = await house.did(settlementActs.preview, { as }, { params: { id }, body: {} });
    const body = { version: 1, previewHash: draft.previewHash };
    await house.did(settlementActs.submit, { as }, { params: { id }, body });
    const settled = () => printed(settlementSheetFile, as, { params: { id } });
    expect(await settled()).toMatch(/本店结算 .*元/);
    // what rests on a clause cites the number it has in the contract
    expect(draft).toMatchObject({
      lines: expect.arrayContaining([
        expect.objectContaining({ kind: "penalty", clause: "第 9 条 违约与退房" }),
      ]) as unknown,
    });
    expect(await settled()).toContain("第 9 条 违约与退房");

    for (const one of [sheet, slip, receipt]) await disabled(one);
    expect(await settled()).toContain("本店结算");
    expect(await printed(lendSlip, keeper, { params })).toContain("本店借条");
    expect(await slipOfMoney()).toContain("本店收据");
    expect((await versions(receipt))[0]).toMatchObject({ uses: 1 });
    // nobody elsewhere prints it
    const stranger = await house.person({
      permits: ["102.get"],
      villages: [await aVillage(house, { name: "远郊四店" })],
    });
    expect(await printed(flowReceipt, stranger, { params: { id: flowId } })).toBe("404 记录不存在");
  },
);

test(
  "a settlement or supplement that is printed again has the day on which it was agreed to, not that of the print",
  { timeout: 60_000 },
  async () => {
    const dated = (text: string) => [...new Set(text.match(/日期：\S+ 年 \S+ 月 \S+ 日/g))];
    const agreed = async (calls: typeof amendActs | typeof settlementActs, id: number) => {
      const { rows } = await at.pool.query("select version from contract_act where id = $1", [id]);
      const scan = await aScan(house, as);
      const body = { version: Number(rows[0].version), how: "paper", note: "当面签字", fileIds: [scan] };
      await house.did(calls.agree, { as }, { params: { id }, body: body as never });
    };
    const change = await handedIn((await lease()).id);
    at.on("2026-03-14");
    const today = dated(await supplement(change));
    expect(today).toHaveLength(1);
    await agreed(amendActs, change);
    at.on("2026-03-16");
    expect(dated(await supplement(change))).toEqual(today);

    const { id: contractId } = await lease();
    at.on("2026-03-16");
    const leaving = {
      contractId,
      effectiveOn: "2026-03-16",
      endReason: "early",
      noticeOn: "2026-03-16",
      reason: "工作调动",
      penaltyReason: "",
      charges: [],
    };
    const { id } = await house.did(settlementActs.ask, { as }, { body: leaving as never });
    const { previewHash } = await house.did(settlementActs.preview, { as }, { params: { id }, body: {} });
    await house.did(settlementActs.submit, { as }, { params: { id }, body: { version: 1, previewHash } });
    await agreed(settlementActs, id);
    const settled = () => printed(settlementSheetFile, as, { params: { id } });
    const then = dated(await settled());
    expect(then).toHaveLength(1);
    at.on("2026-03-20");
    expect(dated(await settled())).toEqual(then);
  },
);

test("a receipt is of money that came in and stands", { timeout: 60_000 }, async () => {
  const { id: contractId, partyId, contractNo } = await lease();
  const bills = await at.bills(contractId);
  await at.pay(partyId, [bills[0]!.id], 400_000);
  const { rows } = await at.pool.query("select id from flow order by id desc limit 1");
  const cashier = await holds("102.get");
  const print = () => printed(flowReceipt, cashier, { params: { id: Number(rows[0].id) } });
  const text = await print();
  for (const said of [
    "收款收据",
    "肆仟元整",
    "沈书瑶",
    "现金",
    "其中 500.00 元转入预存款。",
    bills[0]!.title.slice(0, 2),
  ])
    expect(text).toContain(said);
  expect(contractNo).toMatch(/^HT/);
  await at.pool.query("update flow set state = 'reversed', reversed_at = now() where id = $1", [rows[0].id]);
  expect(await print()).toBe("409 只有已确认的收款才有收据");
});

test(
  "the letter about arrears names every late bill with its days and late fee, to the fen",
  { timeout: 60_000 },
  async () => {
    const { id, contractNo } = await lease();
    const letter = (person = as) => printed(dunningLetter, person, { params: { id } });
    expect(await letter()).toBe("409 该合同没有逾期账单，不需要催缴");
    at.on("2026-04-12");
    const text = await letter();
    // 3,500.00 and 10,500.00 since 12 March: 31 days; nothing grows on the deposit
    for (const said of [
      "催缴函",
      contractNo,
      "有 2 笔账单逾期未付",
      "应于 2026-03-12 支付，已逾期 31 天",
      "14,000.00",
      "壹万肆仟元整",
    ])
      expect(text).toContain(said);
    // 0.05% a day of the rent from the fourth day on: 28 days
    expect(text).toContain("产生滞纳金人民币 147.00 元（大写：壹佰肆拾柒元整）");
    expect(text).toContain("应付款人民币 14,147.00 元（大写：壹万肆仟壹佰肆拾柒元整）");
    expect(await letter(await holds("10.get"))).toBe("403 没有权限执行此操作");
  },
);

test(
  "a template is looked at with the newest document of a contract, by who may print it",
  { timeout: 60_000 },
  async () => {
    const id = await aTemplate({ docKind: "supplement" });
    const templateVersionId = (await versions(id))[0]!.id;
    const { id: contractId } = await lease();
    const look = (person: Person) =>
      printed(calls.renderTemplate, person, { body: { templateVersionId, contractId } } as never);
    const both = await holds("10.get", "9.get");
    expect(await look(both)).toBe("409 该合同还没有补充协议");
    await handedIn(contractId);
    expect(await look(both)).toContain("2027-04-14");
    expect(await look(await holds("10.get"))).toBe("403 没有权限执行此操作");

    const sheet = await aTemplate({ docKind: "settlementSheet" });
    const body = { templateVersionId: (await versions(sheet))[0]!.id, contractId };
    expect(await printed(calls.renderTemplate, both, { body } as never)).toBe("403 没有权限执行此操作");
    const own = { templateVersionId: body.templateVersionId };
    expect(await printed(calls.renderTemplate, both, { body: own } as never)).toContain("退房结算单");
  },
);
