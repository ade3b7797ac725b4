import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { anApprovedShop } from "../contract/approval.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aForm, aRenter, aRoom, aShop } from "../contract/contract.sample.ts";
import { getContract } from "../contract/detail.contract.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { draftPaper } from "../paper/paper.contract.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { aLessor, aSeal } from "../seal/seal.sample.ts";
import { contractApproved, submitContract, withdrawContract } from "../signing/signing.contract.ts";
import { aSuccession, C } from "../successor/successor.sample.ts";
import {
  actSignings,
  contractSignings,
  resendSigning,
  setSeal,
  startSigning,
} from "../esign/esign.contract.ts";
import { contractArrangement } from "./arrangement.contract.ts";
import { aSigningShop, identified, linkOf, partySigns, phoneOf, started } from "../esign/esign.sample.ts";

const house = await testHouse();
const NOW = "2026-03-12T10:00:00+08:00";
const { pool } = house.database;
const shop = await aSigningShop(house, { village: "安排店" });
const as = shop.clerk;
const villageIds = [shop.villageId];
const second = await house.person({ permits: ["95.query"], villages: villageIds, name: "何小印" });
const lessorId = await aLessor(house, "海棠公寓管理有限公司");
const theirs = await aSeal(house, { villageIds, operatorIds: [second.operatorId], lessorId });
beforeEach(() => house.setClock(NOW));

let rooms = 0;
/** A draft of a tenant who has a certificate, and the hash of its preview. */
async function drafted(more: Parameters<typeof aForm>[1] = {}) {
  const partyId = await aRenter(house, shop.villageId);
  await identified(house, partyId);
  const roomId = await aRoom(house, shop.building, `R${++rooms}`);
  const { id } = await house.did(createContract, { as }, { body: aForm({ ...shop, partyId, roomId }, more) });
  const { previewHash } = await house.did(previewContract, { as }, { body: { id } });
  return { id, partyId, previewHash };
}
type Draft = Pick<Awaited<ReturnType<typeof drafted>>, "id" | "previewHash">;
const handIn = ({ id, previewHash }: Draft, how: object) =>
  house.ask(
    submitContract,
    { as, key: randomUUID() },
    { params: { id }, body: { previewHash, ...how } as never },
  );
const offered = (id: number) => house.did(contractArrangement, { as }, { params: { id } });
const newest = async (id: number) => (await house.did(contractSignings, { as }, { params: { id } }))[0]!;
const stateOf = async (id: number) => (await house.did(getContract, { as }, { params: { id } })).state;

test("the form offers who signs with a masked phone, the store's hours and order, and the seals that may be set", async () => {
  const { id, partyId } = await drafted();
  const phone = await phoneOf(house, partyId);
  expect(await offered(id)).toMatchObject({
    provider: "embedded",
    linkHours: 72,
    order: ["party", "enterprise"],
    signers: [{ role: "party", name: "张三", phone: `${phone.slice(0, 3)}****${phone.slice(-4)}`, why: "" }],
    seals: [
      { id: shop.sealId, lessorName: "青禾公寓管理有限公司" },
      { id: theirs, lessorName: "海棠公寓管理有限公司" },
    ],
    noSeal: "",
  });
  await pool.query(
    "insert into contract_config (enterprise_id, village_id, link_hours, sign_order) values ($1, $2, 48, 'enterpriseFirst')",
    [house.enterpriseId, shop.villageId],
  );
  expect(await offered(id)).toMatchObject({ linkHours: 48, order: ["enterprise", "party"] });
  await pool.query("delete from contract_config");
  // of a tenant under age the guardian signs
  await pool.query(
    "update renter set birthday = '2010-01-01', guardian_name = '赵敏', guardian_phone = '13900001234' where id = $1",
    [partyId],
  );
  expect((await offered(id)).signers).toEqual([
    { role: "party", name: "赵敏", phone: "139****1234", why: "" },
  ]);
  await pool.query("update renter set guardian_phone = '' where id = $1", [partyId]);
  expect((await offered(id)).signers).toEqual([
    {
      role: "party",
      name: "张三",
      phone: "",
      why: "监护人赵敏没有登记有效的手机号，请先修改后再发起电子签署",
    },
  ]);
  const bare = await aShop(house);
  const draft = await house.did(createContract, { as: bare.clerk }, { body: aForm(bare) });
  const of = { params: { id: draft.id } };
  expect(await house.did(contractArrangement, { as: bare.clerk }, of)).toMatchObject({
    seals: [],
    noSeal: "该门店没有可用的印章，请在合同配置的印章中为门店设置",
  });
  expect((await house.ask(contractArrangement, { as }, of)).status).toBe(404);
});

describe("on handing in is refused under its field", () => {
  test("hours beyond 1 and 168, and an order in which somebody is missing, twice, strange or between", async () => {
    const draft = await drafted();
    const wrong = async (how: object) => {
      const { status, body } = await handIn(draft, how);
      return [status, body.fields?.map(({ field, msg }) => `${field} ${msg}`).join()];
    };
    for (const linkHours of [0, 169, 1.5])
      expect(await wrong({ linkHours })).toEqual([400, "linkHours 请输入1到168之间的整数"]);
    expect(await wrong({ signOrder: ["party"] })).toEqual([400, "signOrder 签署顺序缺少出租方"]);
    expect(await wrong({ signOrder: [] })).toEqual([400, "signOrder 签署顺序缺少承租方"]);
    expect(await wrong({ signOrder: ["party", "enterprise", "party"] })).toEqual([
      400,
      "signOrder 承租方在签署顺序中重复",
    ]);
    expect(await wrong({ signOrder: ["party", "previousParty", "enterprise"] })).toEqual([
      400,
      "signOrder 原承租方不是本合同的签署人",
    ]);
    expect(await wrong({ signOrder: ["party", "stranger"] })).toEqual([400, "signOrder.1 请选择签署顺序"]);
    expect(await wrong({ note: "请".repeat(201) })).toEqual([400, "note 提交说明最多200个字"]);
    expect(await stateOf(draft.id)).toBe("draft");
    expect((await handIn(draft, { linkHours: 168, note: "请".repeat(200) })).status).toBe(200);
    expect((await handIn(await drafted(), { linkHours: 1 })).status).toBe(200);
  });

  test("a seal that may not be set on it, or is none of the enterprise", async () => {
    const draft = await drafted();
    const wrong = async (sealId: number) => {
      const { status, body } = await handIn(draft, { sealId });
      return [status, body.fields?.map(({ field, msg }) => `${field} ${msg}`).join()];
    };
    const operatorIds = [second.operatorId];
    const { rows } = await pool.query<{ id: number }>(
      "insert into enterprise (name) values ('别家公寓') returning id::int",
    );
    const foreign = await aLessor(house, "别家公寓");
    await pool.query("update lessor set enterprise_id = $2 where id = $1", [foreign, rows[0]!.id]);
    const far = [shop.villageId + 999];
    const strange = await aSeal(house, { villageIds: far, operatorIds, lessorId: foreign });
    expect(await wrong(strange)).toEqual([400, "sealId 请选择印章"]);
    expect(await wrong(9_999_999)).toEqual([400, "sealId 请选择印章"]);
    const finance = await aSeal(house, { villageIds, operatorIds, lessorId, kind: "finance" });
    expect(await wrong(finance)).toEqual([400, "sealId 财务章不能用于合同"]);
    const elsewhere = await aSeal(house, { villageIds: far, operatorIds, lessorId });
    expect(await wrong(elsewhere)).toEqual([400, "sealId 印章不可用于该门店"]);
    const off = await aSeal(house, { villageIds, operatorIds, lessorId });
    await pool.query("update seal set enabled = false where id = $1", [off]);
    expect(await wrong(off)).toEqual([400, "sealId 印章已停用"]);
    const expired = await aLessor(house, "旧约公寓");
    await pool.query("update lessor set auth_to = '2026-03-11' where id = $1", [expired]);
    expect(await wrong(await aSeal(house, { villageIds, operatorIds, lessorId: expired }))).toEqual([
      400,
      "sealId 企业授权已过期",
    ]);
    await pool.query("update lessor set auth_to = '2026-03-12' where id = $1", [expired]);
    const seals = (await offered(draft.id)).seals.map((s) => s.lessorName);
    expect(seals).toEqual(["青禾公寓管理有限公司", "海棠公寓管理有限公司", "旧约公寓"]);
    await pool.query("update lessor set enabled = false where id = $1", [expired]);
    expect(await stateOf(draft.id)).toBe("draft");
  });
});

test("hours, order and seal that were chosen hold from the paper to the closed file, and when it is sent again", async () => {
  const draft = await drafted();
  const { id, partyId } = draft;
  const printed = async (query: object) =>
    textOfPdf((await house.ask(draftPaper, { as }, { params: { id }, query })).raw);
  expect(await printed({})).toContain("青禾公寓管理有限公司");
  expect(await printed({ sealId: theirs })).toContain("海棠公寓管理有限公司");
  expect(
    (await house.ask(draftPaper, { as }, { params: { id }, query: { sealId: 9_999_999 } })).body.fields,
  ).toEqual([{ field: "sealId", msg: "请选择印章" }]);
  const how = { sealId: theirs, linkHours: 24, signOrder: ["enterprise", "party"] };
  expect((await handIn(draft, how)).status).toBe(200);
  const { rows: notes } = await pool.query<{ summary: string }>(
    "select summary from business_log where kind = 'contract' and record_id = $1 and action = '提交签约'",
    [id],
  );
  expect(notes[0]!.summary).toMatch(/印章 合同专用章\d+，签署链接有效期 1 天，签署顺序 出租方、承租方/);

  const begun = await house.did(startSigning, { as }, { params: { id } });
  expect(begun).toMatchObject({ state: "created", links: [], deadline: "2026-03-13T02:00:00.000Z" });
  expect((await newest(id)).signers.map((s) => [s.role, s.name])).toEqual([
    ["enterprise", "海棠公寓管理有限公司"],
    ["party", "张三"],
  ]);
  const stamp = { params: { id: begun.id }, body: {} };
  // the operator of the store's usual seal is none of the chosen one
  expect((await house.ask(setSeal, { as: shop.keeper }, stamp)).status).toBe(403);
  await house.did(setSeal, { as: second }, stamp);
  // what has run out begins anew with the same hours and order
  house.setClock("2026-03-13T11:00:00+08:00");
  const again = await house.did(resendSigning, { as }, { params: { id } });
  expect(again).toMatchObject({ state: "created", deadline: "2026-03-14T03:00:00.000Z" });
  await house.did(setSeal, { as: second }, { params: { id: again.id }, body: {} });
  house.setClock("2026-03-13T12:00:00+08:00");
  const sent = await house.did(resendSigning, { as }, { params: { id } });
  expect(sent).toMatchObject({ id: again.id, deadline: "2026-03-14T04:00:00.000Z" });
  await partySigns(house, await linkOf(house, partyId), partyId);
  expect(await stateOf(id)).toBe("effective");
  const { rows } = await pool.query("select seal_id id from seal_use where contract_id = $1", [id]);
  expect(rows).toEqual([{ id: theirs }]);
});

test("a seal that was chosen and may not be set any more leaves the file to another of its lessor", async () => {
  const own = await aLessor(house, "白露公寓");
  const operatorIds = [second.operatorId];
  const [first, other] = [
    await aSeal(house, { villageIds, operatorIds, lessorId: own, autoSeal: true }),
    await aSeal(house, { villageIds, operatorIds, lessorId: own }),
  ];
  const auto = await drafted();
  await handIn(auto, { sealId: first });
  await partySigns(house, await started(house, as, auto.id), auto.partyId);
  expect(await stateOf(auto.id)).toBe("effective");
  const lost = await drafted();
  await handIn(lost, { sealId: first });
  await pool.query("update seal set enabled = false where id = $1", [first]);
  await partySigns(house, await started(house, as, lost.id), lost.partyId);
  expect(await stateOf(lost.id)).toBe("signing");
  const { id } = await newest(lost.id);
  await house.did(setSeal, { as: second }, { params: { id }, body: {} });
  const { rows } = await pool.query("select seal_id id from seal_use where contract_id = $1", [lost.id]);
  expect(rows).toEqual([{ id: other }]);
  await pool.query("update lessor set enabled = false where id = $1", [own]);
});

test("nothing that was chosen outlives a contract that is worked on again", async () => {
  const draft = await drafted();
  await handIn(draft, { sealId: theirs, linkHours: 24, signOrder: ["enterprise", "party"] });
  await house.did(withdrawContract, { as }, { params: { id: draft.id }, body: { reason: "改租金" } });
  expect((await handIn(draft, {})).status).toBe(200);
  const begun = await house.did(startSigning, { as }, { params: { id: draft.id } });
  expect(begun).toMatchObject({ state: "signing", deadline: "2026-03-15T02:00:00.000Z" });
  expect((await newest(draft.id)).signers.map((s) => s.name)).toEqual(["张三", "青禾公寓管理有限公司"]);
});

test("what waited for approval is signed as it was handed in", async () => {
  const world = await anApprovedShop(house);
  await world.module("renterContract");
  const sealId = await aSeal(house, {
    villageIds: [world.shop.villageId],
    operatorIds: [world.as.operatorId],
  });
  await identified(house, world.shop.partyId);
  const { id, preview } = await world.draft(world.shop.roomId);
  const { previewHash } = preview;
  const signOrder = ["enterprise" as const, "party" as const];
  await house.did(
    submitContract,
    { as: world.as },
    { params: { id }, body: { previewHash, sealId, linkHours: 12, signOrder, note: "老客户" } },
  );
  const examine = await world.waiting(id);
  expect((await world.decide(examine, world.manager, "approve")).status).toBe(200);
  expect(await house.did(startSigning, { as: world.as }, { params: { id } })).toMatchObject({
    state: "created",
    deadline: "2026-03-12T14:00:00.000Z",
  });
});

test("links that were meant go out with the approval; what stands in their way is told to who handed it in", async () => {
  const world = await anApprovedShop(house);
  await world.module("renterContract");
  await aSeal(house, { villageIds: [world.shop.villageId], operatorIds: [world.as.operatorId] });
  const handed = async (roomId: number, as = world.as) => {
    const { id, preview } = await world.draft(roomId);
    const body = { previewHash: preview.previewHash, sendsLinks: true, linkHours: 12 };
    return { id, ...(await house.ask(submitContract, { as, key: randomUUID() }, { params: { id }, body })) };
  };
  const approved = async (id: number) => {
    expect((await world.decide(await world.waiting(id), world.manager, "approve")).status).toBe(200);
    await house.deliver();
    return house.did(contractSignings, { as: world.as }, { params: { id } });
  };
  const told = async () =>
    (
      await pool.query<{ title: string; content: string }>(
        "select title, content from message m join message_receipt r on r.message_id = m.id where r.operator_id = $1 and title like '%未能发起' order by id",
        [world.as.operatorId],
      )
    ).rows;
  // who may not start a signing may not mean it either
  const permits = ["9.query", "9.get", "9.add", "9.edit"];
  const junior = await house.person({ permits, villages: [world.shop.villageId] });
  expect((await handed(world.shop.roomId, junior)).status).toBe(403);

  await identified(house, world.shop.partyId);
  const first = await handed(world.shop.roomId);
  expect(await house.did(contractSignings, { as: world.as }, { params: { id: first.id } })).toEqual([]);
  const [flow] = await approved(first.id);
  expect(flow).toMatchObject({ state: "signing", deadline: "2026-03-12T14:00:00.000Z" });
  // told once more, nothing is sent again and nobody alarmed; nor for what is a draft again
  const again = async (contractId: number) => {
    await acting(house, (act) => act.emit(contractApproved, { contractId }));
    await house.deliver();
  };
  await again(first.id);
  const away = await handed(await world.room("撤回的"));
  await house.did(withdrawContract, { as: world.as }, { params: { id: away.id }, body: { reason: "改期" } });
  await again(away.id);
  for (const [{ id }, n] of [
    [first, 1],
    [away, 0],
  ] as const)
    expect(await house.did(contractSignings, { as: world.as }, { params: { id } })).toHaveLength(n);
  expect(await told()).toEqual([]);
  await partySigns(house, await linkOf(house, world.shop.partyId), world.shop.partyId);
  expect(await stateAt(first.id)).toBe("signing");

  // a phone that is none any more is told, and the contract signed once it is mended
  const phone = await phoneOf(house, world.shop.partyId);
  const call = (to: string) =>
    pool.query("update party set phone = $2 where id = $1", [world.shop.partyId, to]);
  await call("");
  const second = await handed(await world.room("后补"));
  expect(await approved(second.id)).toEqual([]);
  expect(await stateAt(second.id)).toBe("signing");
  const [message] = await told();
  expect(message).toEqual({
    title: expect.stringMatching(/^HT\S+ 审批通过，电子签署未能发起$/) as string,
    content: expect.stringMatching(/手机号.*。请在合同中处理后重新发起签署。$/) as string,
  });
  await call(phone);
  expect(await house.did(startSigning, { as: world.as }, { params: { id: second.id } })).toMatchObject({
    state: "signing",
  });
  async function stateAt(id: number) {
    return (await world.contractOf(id)).state;
  }
});

test("转租: the new tenant may sign before the one until then", async () => {
  const at = await aSuccession(house);
  await aSeal(house, { villageIds: [at.shop.villageId], operatorIds: [second.operatorId] });
  const old = await at.lease({ start: "2026-05-15", rent: 320_000, cycleMonths: 1 });
  house.setClock("2026-06-11T10:00:00+08:00");
  const partyId = await aRenter(house, at.shop.villageId, { name: "李四" });
  await identified(house, old.partyId);
  await identified(house, partyId);
  const asked = await at.change({
    ...{ contractId: old.id, kind: "tenant", effectiveOn: "2026-06-11", partyId },
    arrearsReason: "次月账单随转租作废",
  });
  const params = { id: asked.contractId };
  const { order, signers } = await house.did(contractArrangement, { as: at.as }, { params });
  expect([order, signers.map((s) => s.name)]).toEqual([
    ["previousParty", "party", "enterprise"],
    ["张三", "李四"],
  ]);
  const { contract } = (await at.preview(C, asked.id)) as never as { contract: { previewHash: string } };
  const hand = (signOrder: string[]) =>
    house.ask(submitContract, { as: at.as, key: randomUUID() }, {
      params,
      body: { previewHash: contract.previewHash, signOrder },
    } as never);
  expect((await hand(["party", "enterprise", "previousParty"])).body.fields).toEqual([
    { field: "signOrder", msg: "出租方须最先或最后盖章" },
  ]);
  expect((await hand(["party", "previousParty", "enterprise"])).status).toBe(200);
  await house.did(startSigning, { as: at.as }, { params });
  await partySigns(house, await linkOf(house, partyId), partyId);
  const flows = await house.did(actSignings, { as: at.as }, { params: { id: asked.id } });
  expect(flows[0]!.signers.map((s) => [s.role, s.state])).toEqual([
    ["party", "signed"],
    ["previousParty", "sent"],
    ["enterprise", "waiting"],
  ]);
});
