import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import {
  addAgent,
  agentOptions,
  deleteAgent,
  disableAgent,
  getAgent,
} from "../../customer/agent/agent.contract.ts";
import { earnedBy } from "../../customer/commission-rule/commission.rules.ts";
import { addRule } from "../../customer/commission-rule/rule.contract.ts";
import { listCommissions, voidCommission } from "../../customer/commission/commission.contract.ts";
import { CHANNELS, typedAgent, typedRule } from "../../customer/commission/commission.sample.ts";
import { addLead } from "../../customer/lead/lead.contract.ts";
import { aLead } from "../../customer/lead/lead.sample.ts";
import {
  agentOutlook,
  createContract,
  formData,
  readForm,
  saveContract,
} from "../drafting/draft.contract.ts";
import { listCompanyContracts } from "../firm/firm-list.contract.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { changes, renewals } from "../successor/successor.contract.ts";
import { WAYS } from "../successor/successor.sample.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { anAgentDesk } from "./agent-deal.sample.ts";
import { exportContracts, listContracts } from "./contract.contract.ts";
import { aForm, aRenter, aRoom, signed } from "./contract.sample.ts";
import { getContract } from "./detail.contract.ts";
import { FIRM_LEASING, FIRM_RECORDS, aCompanyForm } from "./firm.sample.ts";
import { aCompany } from "../../customer/firm/firm.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const permits = [...FIRM_LEASING, ...FIRM_RECORDS, ...["73.query", "73.add", "96.query", "96.add"]];
const desk = await anAgentDesk(house, { permits });
const { keeper, villageId } = desk;
const elsewhere = await aVillage(house);
const stranger = await house.person({ permits: [...CHANNELS, "9.add"], villages: [elsewhere] });
const as = keeper;
const { id: ruleId } = await house.did(
  addRule,
  { as },
  { body: typedRule({ name: "含续租", renewals: true, payAfterDays: 7 }) },
);
const anAgent = async (more: object = {}) =>
  (await house.did(addAgent, { as }, { body: typedAgent({ villageId, ruleId }, more) })).id;
const named = await anAgent({ name: "顾怀瑾" });

let n = 0;
/** A tenant, a room and a form for them that names an agent. */
async function form(more: Partial<ContractForm> = {}) {
  const phone = `1390000${String(2000 + ++n)}`;
  const roomId = await aRoom(house, desk.building, `80${String(n).padStart(2, "0")}`, 300_000);
  const partyId = await aRenter(house, villageId, { phone, name: "沈知夏" });
  const own = { start: "2026-12-01", channel: "经纪人", agentId: named, rent: 300_000, ...more };
  return { phone, form: aForm({ ...desk, roomId, partyId }, own) };
}
const earned = async (contractId: number) =>
  (await house.did(listCommissions, { as }, { query: { pageSize: 200 } })).list.filter(
    (c) => c.contractId === contractId,
  );
const versionOf = async (id: number) => (await house.did(getAgent, { as }, { params: { id } })).version;
const refused = async (body: ContractForm) => (await house.ask(createContract, { as }, { body })).body.fields;

test("the agent of the contract earns, not the one of its lead, and once", async () => {
  const { phone, form: typed } = await form();
  const lead = { name: "沈知夏", phone, source: "agent", agentId: desk.agentId, villageIds: [villageId] };
  await house.did(addLead, { as }, { body: lead });
  const sent = { kind: "renter", villageId, agentId: named, partyId: typed.partyId! } as const;
  const outlook = (await house.did(agentOutlook, { as }, { query: sent }))!;
  expect(outlook).toMatchObject({ name: "顾怀瑾", why: null, rule: { name: "含续租", payAfterDays: 7 } });
  const { id } = await signed(house, as, typed, "2026-11-20");
  await house.deliver();
  await house.deliver();
  const [first, ...more] = await earned(id);
  expect(more).toEqual([]);
  const deal = { months: 12, monthRent: 300_000, totalRent: 3_600_000 };
  expect(first).toMatchObject({
    agentName: "顾怀瑾",
    kind: "first",
    payableFrom: "2026-11-27",
    amount: earnedBy(outlook.rule as never, deal).amount,
  });
  expect(first!.amount).toBe(300_000);
  const detail = await house.did(getContract, { as }, { params: { id } });
  expect(detail).toMatchObject({ channel: "经纪人", agentName: "顾怀瑾", commission: { left: 300_000 } });
  // what agents earn is for who keeps them
  const clerk = await house.did(getContract, { as: desk.clerk }, { params: { id } });
  expect([clerk.agentName, clerk.commission]).toEqual(["顾怀瑾", null]);
});

test("a contract that names nobody earns for the agent of its lead, as before", async () => {
  const { phone, form: typed } = await form({ channel: null, agentId: null });
  await aLead(house, as, villageId, { phone, source: "agent", agentId: desk.agentId });
  const { id } = await signed(house, as, typed, "2026-11-20");
  await house.deliver();
  expect((await earned(id)).map((c) => c.agentName)).toEqual(["周启明"]);
});

test("contracts of companies earn by the rents of all their rooms, and are listed with channel and agent", async () => {
  const companyId = await aCompany(house, as, villageId, {
    contacts: [{ name: "钱经理", phone: "13700000001", main: true, getsBills: true }],
  });
  const rooms = [await aRoom(house, desk.building, "9001"), await aRoom(house, desk.building, "9002")];
  const typed = aCompanyForm({ ...desk, companyId, merchantId: 0 }, rooms, {
    rent: 300_000,
    ...{ start: "2026-12-01", channel: "经纪人", agentId: named },
  });
  const { id } = await signed(house, as, typed, "2026-11-20");
  await house.deliver();
  expect((await earned(id)).map((c) => c.amount)).toEqual([600_000]);
  const { list } = await house.did(listCompanyContracts, { as }, { query: { agentId: named } });
  expect(list).toMatchObject([{ id, channel: "经纪人", agentId: named, agentName: "顾怀瑾" }]);
  const other = await house.did(listContracts, { as }, { query: { agentId: desk.agentId } });
  expect(other.list).toEqual([]);
  const file = await house.ask(exportContracts, { as }, {
    query: { agentId: named, columns: "contractNo,channel,agentName" },
  } as never);
  expect((await rowsOf(file.raw)).flat()).toEqual(expect.arrayContaining(["渠道", "经纪人", "顾怀瑾"]));
});

test("an agent of another store, one who works no more, an unknown one and a strange channel are refused", async () => {
  const { form: typed } = await form();
  const at = (msg: string, field = "agentId") => [{ field, msg }];
  expect(await refused({ ...typed, agentId: 999_999 })).toEqual(at("请选择经纪人"));
  const theirs = typedAgent({ villageId: elsewhere, ruleId });
  const { id: far } = await house.did(addAgent, { as: stranger }, { body: theirs });
  expect(await refused({ ...typed, agentId: far })).toEqual(at("请选择经纪人"));
  const both = await house.person({
    permits: ["9.add"],
    villages: [villageId, elsewhere],
  });
  const asked = await house.ask(createContract, { as: both }, { body: { ...typed, agentId: far } });
  expect(asked.body.fields).toEqual(at("请选择服务该门店的经纪人"));
  const { phone } = await house.database.db
    .selectFrom("party")
    .select("phone")
    .where("id", "=", typed.partyId!)
    .executeTakeFirstOrThrow();
  expect(await refused({ ...typed, agentId: await anAgent({ phone }) })).toEqual(
    at("经纪人不能为本人租约提佣"),
  );
  expect(await refused({ ...typed, channel: "天上掉下" })).toEqual(at("来源渠道中没有“天上掉下”", "channel"));
  const gone = await anAgent();
  const query = { kind: "renter", villageId, agentId: gone } as const;
  const draft = await house.did(createContract, { as }, { body: { ...typed, agentId: gone } });
  const body = { version: await versionOf(gone) };
  await house.did(disableAgent, { as }, { params: { id: gone }, body });
  expect(await refused({ ...typed, agentId: gone })).toEqual(at("该经纪人已停用"));
  expect((await house.did(agentOutlook, { as }, { query }))!.why).toBe("该经纪人已停用");
  // the draft that has named him keeps him
  const again = { ...typed, agentId: gone, version: draft.version };
  await house.did(saveContract, { as }, { params: { id: draft.id }, body: again });
  const kept = await house.did(readForm, { as }, { params: { id: draft.id } });
  expect([kept.form.channel, kept.form.agentId]).toEqual(["经纪人", gone]);
  // nobody reads the rule of another store's agent, nor in a store out of scope
  expect(await house.did(agentOutlook, { as }, { query: { ...query, agentId: far } })).toBeNull();
  expect((await house.ask(agentOutlook, { as: stranger }, { query })).status).toBe(404);
  // he is named by a contract: he can only be switched off
  const removed = await house.ask(deleteAgent, { as }, {
    params: { id: gone },
    query: { version: await versionOf(gone) },
  } as never);
  expect(removed.body.message).toBe("该经纪人有 1 份合同，不能删除，可改为停用");
});

test("the picker offers the agents of the store, and the form its channels, to who draws up contracts", async () => {
  const clerk = await house.person({ permits: ["9.add"], villages: [villageId, elsewhere] });
  const query = { villageId, pageSize: 200 };
  const offered = await house.did(agentOptions, { as: clerk }, { query });
  expect(offered.map((a) => a.id)).toContain(named);
  const there = await house.did(
    agentOptions,
    { as: clerk },
    {
      query: { ...query, villageId: elsewhere },
    },
  );
  expect(there.map((a) => a.id)).not.toContain(named);
  const { channels } = await house.did(formData, { as: clerk }, { query: { kind: "renter", villageId } });
  expect(channels).toContainEqual({ code: "agent", name: "经纪人" });
});

test("a renewal keeps channel and agent and earns by the rule; another tenant came from somewhere else", async () => {
  const { form: typed } = await form({ start: "2026-11-20" });
  const old = await signed(house, as, { ...typed, end: "2026-12-31" }, "2026-11-20");
  await house.deliver();
  const asked = await house.did(
    renewals.ask,
    { as },
    { body: { contractId: old.id, end: "2027-12-31", rents: [], ...WAYS } },
  );
  const { form: next } = await house.did(readForm, { as }, { params: { id: asked.contractId } });
  expect([next.channel, next.agentId]).toEqual(["经纪人", named]);
  const query = { kind: "renter", villageId, agentId: named, contractId: asked.contractId } as const;
  const outlook = async (agentId: number) =>
    (await house.did(agentOutlook, { as }, { query: { ...query, agentId } }))!.why;
  expect(await outlook(named)).toBeNull();
  expect(await outlook(desk.agentId)).toBe("佣金规则“标准佣金”不含续租");
  const [first] = await earned(old.id);
  await house.did(
    voidCommission,
    { as },
    { params: { id: first!.id }, body: { reason: "重复登记", version: first!.version } },
  );
  expect(await outlook(named)).toBe("原合同的佣金已作废，续租不产生佣金");

  const { form: other } = await form();
  const lease = await signed(house, as, { ...other, start: "2026-11-20" }, "2026-11-20");
  const partyId = await aRenter(house, villageId);
  const moved = await house.did(
    changes.ask,
    { as },
    {
      body: {
        ...WAYS,
        arrearsReason: "留在原合同",
        contractId: lease.id,
        kind: "tenant",
        effectiveOn: "2026-12-01",
        partyId,
      },
    },
  );
  const { form: after } = await house.did(readForm, { as }, { params: { id: moved.contractId } });
  expect([after.channel, after.agentId]).toEqual(["", null]);
});
