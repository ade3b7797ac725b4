import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aRenter } from "../../contract/contract/contract.sample.ts";
import { anIdNumber } from "../renter/renter.sample.ts";
import { addLead } from "../lead/lead.contract.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { anAgentDesk, aDeal } from "../../contract/contract/agent-deal.sample.ts";
import { typedAgent, typedRule } from "../commission/commission.sample.ts";
import {
  addRule,
  copyRule,
  deleteRule,
  editRule,
  getRule,
  listRules,
} from "../commission-rule/rule.contract.ts";
import {
  addAgency,
  deleteAgency,
  disableAgency,
  editAgency,
  enableAgency,
  getAgency,
  listAgencies,
  revealAgency,
} from "./agency.contract.ts";
import {
  addAgent,
  agentOptions,
  deleteAgent,
  editAgent,
  getAgent,
  listAgents,
  rankAgents,
  revealAgent,
} from "./agent.contract.ts";
import { typedAgency } from "./agent.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await anAgentDesk(house);
const { keeper, clerk, stranger } = desk;
const as = keeper;

describe("an agent", () => {
  test("one per phone, also when two register him at once", async () => {
    const body = typedAgent(desk);
    const both = await Promise.all([1, 2].map(() => house.ask(addAgent, { as }, { body })));
    expect(both.map((r) => r.status).toSorted()).toEqual([200, 400]);
    expect(both.find((r) => r.status === 400)!.body.fields).toEqual([
      { field: "phone", msg: "该手机号已登记经纪人" },
    ]);
  });

  test("keeps his numbers sealed; each whole look is logged", async () => {
    const certNo = anIdNumber();
    const bank = { bankHolder: "周启明", bankName: "招商银行", bankNo: "6222021234561234" };
    const { id } = await house.did(addAgent, { as }, { body: typedAgent(desk, { certNo, ...bank }) });
    const shown = await house.did(getAgent, { as }, { params: { id } });
    expect(shown.bankNo).toBe("6222****1234");
    expect(shown.phone).toMatch(/^136\*{4}\d{4}$/);
    expect(shown.certNo).not.toBe(certNo);
    const body = { field: "bankNo" as const, reason: "核对收款账户" };
    expect((await house.did(revealAgent, { as }, { params: { id }, body })).value).toBe(bank.bankNo);
    expect((await house.ask(revealAgent, { as: clerk }, { params: { id }, body })).status).toBe(403);
    expect((await house.ask(revealAgent, { as: stranger }, { params: { id }, body })).status).toBe(404);
    const { rows } = await house.database.pool.query(
      "select summary from business_log where kind = 'agent' and record_id = $1 and action = '查看'",
      [id],
    );
    expect(rows).toEqual([{ summary: "查看完整银行账号：核对收款账户" }]);
    // an edit that leaves numbers out leaves them alone
    const { phone: _, ...rest } = typedAgent(desk);
    await house.did(editAgent, { as }, { params: { id }, body: { ...rest, name: "周明", version: 1 } });
    expect(await house.did(getAgent, { as }, { params: { id } })).toMatchObject({
      name: "周明",
      bankNo: shown.bankNo,
    });
    const late = await house.ask(editAgent, { as }, { params: { id }, body: { ...rest, version: 1 } });
    expect(late.status).toBe(409);
  });

  test("without an agency he needs a rule of his own", async () => {
    const refused = await house.ask(addAgent, { as }, { body: typedAgent(desk, { ruleId: undefined }) });
    expect(refused.body.fields).toEqual([{ field: "ruleId", msg: "独立经纪人请选择佣金规则" }]);
  });

  test("of an agency that works for other stores is edited here without leaving it", async () => {
    const other = await aVillage(house);
    const chief = await house.person({ superType: "1" });
    const { id: agencyId } = await house.did(
      addAgency,
      { as: chief },
      { body: { ...typedAgency(desk), name: "彼岸机构", villageIds: [other] } },
    );
    const body = typedAgent(desk, { agencyId, villageIds: [desk.villageId, other] });
    const { id } = await house.did(addAgent, { as: chief }, { body });
    const { phone: _, ...rest } = body;
    const edit = (more: object) =>
      house.ask(
        editAgent,
        { as },
        { params: { id }, body: { ...rest, villageIds: [desk.villageId], version: 1, ...more } },
      );
    expect((await edit({ name: "周明" })).status).toBe(200);
    expect(await house.did(getAgent, { as }, { params: { id } })).toMatchObject({ name: "周明", agencyId });
    // it is not theirs to give to somebody else
    const fresh = await house.ask(addAgent, { as }, { body: typedAgent(desk, { agencyId }) });
    expect(fresh.status).toBe(404);
  });

  test("goes only while he has brought nobody", async () => {
    const { id } = await house.did(addAgent, { as }, { body: typedAgent(desk) });
    const phone = "13720000001";
    const lead = { name: "沈知夏", phone, source: "agent", agentId: id, villageIds: [desk.villageId] };
    await house.did(addLead, { as: clerk }, { body: lead });
    const gone = () => house.ask(deleteAgent, { as }, { params: { id }, query: { version: 1 } });
    expect((await gone()).body.message).toBe("该经纪人有 1 条客源，不能删除，可改为停用");
    const { id: idle } = await house.did(addAgent, { as }, { body: typedAgent(desk) });
    expect(
      (await house.ask(deleteAgent, { as }, { params: { id: idle }, query: { version: 1 } })).status,
    ).toBe(200);
  });

  test("strangers find none, in lists, choices and rankings", async () => {
    for (const call of [listAgents, listAgencies] as const)
      expect((await house.did(call, { as: stranger }, { query: {} })).total).toBe(0);
    expect(await house.did(agentOptions, { as: stranger }, { query: {} })).toEqual([]);
    expect(await house.did(rankAgents, { as: stranger }, { query: {} })).toEqual([]);
    expect((await house.did(rankAgents, { as }, { query: {} })).length).toBeGreaterThan(0);
  });
});

describe("an agency", () => {
  test("its agents follow its rule; disabled, they are offered for no new lead", async () => {
    const { id } = await house.did(addAgency, { as }, { body: typedAgency(desk) });
    const body = typedAgent(desk, { agencyId: id, ruleId: undefined, name: "罗子昂" });
    const { id: agentId } = await house.did(addAgent, { as }, { body });
    expect(await house.did(getAgent, { as }, { params: { id: agentId } })).toMatchObject({
      ownRuleId: null,
      ruleName: "标准佣金",
    });
    await house.did(disableAgency, { as }, { params: { id }, body: { version: 1 } });
    const choices = await house.did(agentOptions, { as: clerk }, { query: { keyword: "罗子昂" } });
    expect(choices).toEqual([]);
    const lead = {
      name: "许晴",
      phone: "13720000002",
      source: "agent",
      agentId,
      villageIds: [desk.villageId],
    };
    const refused = await house.ask(addLead, { as: clerk }, { body: lead });
    expect(refused.body.fields).toEqual([{ field: "agentId", msg: "该经纪人已停用" }]);
    await house.did(enableAgency, { as }, { params: { id }, body: { version: 2 } });
    // so they are once its term is over
    const term = (toDay: string | null) =>
      house.database.pool.query("update agency set to_day = $2 where id = $1", [id, toDay]);
    await term("2026-01-31");
    expect(await house.did(agentOptions, { as: clerk }, { query: { keyword: "罗子昂" } })).toEqual([]);
    const over = await house.ask(addLead, { as: clerk }, { body: lead });
    expect(over.body.fields).toEqual([{ field: "agentId", msg: "所属机构不在合作期内" }]);
    await term(null);
    await house.did(addLead, { as: clerk }, { body: lead });
    const gone = await house.ask(deleteAgency, { as }, { params: { id }, query: { version: 3 } });
    expect(gone.body.message).toContain("1 位经纪人，不能删除");
  });

  test("ends no sooner than it begins; names are one of a kind; its numbers are sealed", async () => {
    const wrong = await house.ask(
      addAgency,
      { as },
      { body: typedAgency(desk, { toDay: "2025-12-31", bankNo: "6222021234561234" }) },
    );
    expect(wrong.body.fields!.map((x) => x.field).toSorted()).toEqual(["bankHolder", "bankName", "toDay"]);
    const body = typedAgency(desk);
    const { id } = await house.did(addAgency, { as }, { body });
    const twin = await house.ask(addAgency, { as }, { body });
    expect(twin.body.fields).toEqual([{ field: "name", msg: "该机构名称已存在" }]);
    await house.did(
      editAgency,
      { as },
      { params: { id }, body: { ...body, phone: undefined, contact: "黎珊", version: 1 } },
    );
    expect(await house.did(getAgency, { as }, { params: { id } })).toMatchObject({ contact: "黎珊" });
    const whole = await house.did(
      revealAgency,
      { as },
      { params: { id }, body: { field: "phone", reason: "联系机构" } },
    );
    expect(whole.value).toBe("021-55667788");
    expect((await house.ask(getAgency, { as: stranger }, { params: { id } })).status).toBe(404);
  });
});

describe("a rule", () => {
  const tiers = (...months: number[]) => months.map((fromMonths) => ({ fromMonths, percent: "50" }));

  test("its tiers rise and its percentages stay between 0.01 and 200.00", async () => {
    const refused = await house.ask(addRule, { as }, { body: typedRule({ tiers: tiers(6, 6) }) });
    expect(refused.body.fields).toEqual([{ field: "tiers.1.fromMonths", msg: "档位月数须递增" }]);
    for (const percent of ["0.00", "200.01", "1.234", "-1"]) {
      const wrong = await house.ask(
        addRule,
        { as },
        { body: typedRule({ tiers: [{ fromMonths: 0, percent }] }) },
      );
      expect(wrong.status, percent).toBe(400);
    }
    expect((await house.ask(addRule, { as: clerk }, { body: typedRule() })).status).toBe(403);
  });

  test("that has been used is not edited; its copy takes over from a day, and each signing day keeps its own", async () => {
    const phone = "13720000003";
    const partyId = await aRenter(house, desk.villageId, { phone });
    await aDeal(house, desk, { phone, partyId, roomId: desk.roomId });
    const rule = await house.did(getRule, { as }, { params: { id: desk.ruleId } });
    const params = { id: desk.ruleId };
    const body = typedRule({ name: "标准佣金", version: rule.version }) as never;
    const edited = await house.ask(editRule, { as }, { params, body });
    expect(edited.body.message).toBe("该规则已用于结算佣金，不能修改，请复制为新版本");
    const gone = await house.ask(deleteRule, { as }, { params, query: { version: rule.version } });
    expect(gone.status).toBe(409);
    const copy = (fromDay: string) =>
      house.ask(
        copyRule,
        { as },
        { params, body: typedRule({ fromDay, tiers: tiers(0), version: rule.version }) as never },
      );
    expect((await copy("2026-11-20")).body.fields![0]!.msg).toContain("新版本须晚于该日");
    expect((await copy("2026-12-01")).status).toBe(200);
    const { list } = await house.did(
      listRules,
      { as },
      { query: { ids: String(desk.ruleId), sort: "fromDay", order: "asc" } },
    );
    expect(list.map((r) => [r.fromDay, r.toDay])).toEqual([
      ["2026-01-01", "2026-11-30"],
      ["2026-12-01", null],
    ]);
    expect(list.every((r) => r.seriesId === desk.ruleId)).toBe(true);
  });
});
