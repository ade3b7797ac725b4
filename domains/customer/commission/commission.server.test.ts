import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aRenter, aRoom } from "../../contract/contract/contract.sample.ts";
import { freeRooms, startLeaving } from "../../listing/occupancy/occupancy.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAgent, disableAgent, getAgent, listAgents } from "../agent/agent.contract.ts";
import { addLead, listLeads } from "../lead/lead.contract.ts";
import { clawCommission, getCommission, voidCommission } from "./commission.contract.ts";
import { aDeal, anAgentDesk } from "../../contract/contract/agent-deal.sample.ts";
import { commissionsOf, contractsSigned, news, typedAgent } from "./commission.sample.ts";

const house = await testHouse({ poolSize: 12 });
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await anAgentDesk(house);
const { keeper, clerk, stranger } = desk;
let n = 0;
/** A customer and a room of their own. */
const somebody = async () => {
  const phone = `1370000${String(1000 + ++n)}`;
  const roomId = await aRoom(house, desk.building, `20${String(n).padStart(2, "0")}`, 300_000);
  return { phone, roomId, partyId: await aRenter(house, desk.villageId, { phone, name: "沈知夏" }) };
};
const commissionOf = async (contractId: number) =>
  (await commissionsOf(house, desk)).list.filter((c) => c.contractId === contractId);

describe("a contract that came of an agent's lead", () => {
  test("12 and 6 months at 3,000.00 earn 3,000.00 and 1,500.00; delivered twice there is still one", async () => {
    const year = await aDeal(house, desk, await somebody());
    const half = await aDeal(house, desk, { ...(await somebody()), months: 6 });
    await contractsSigned(house, [year, half]);
    const [first, ...more] = await commissionOf(year);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      amount: 300_000,
      base: 300_000,
      state: "owed",
      kind: "first",
      agentName: "周启明",
    });
    expect((await commissionOf(half)).map((c) => c.amount)).toEqual([150_000]);
    const detail = await house.did(getCommission, { as: keeper }, { params: { id: first!.id } });
    expect(detail.explain.formula).toBe("3,000.00 × 100.00% = 3,000.00");
    const { rows } = await house.database.pool.query(
      "select m.content from message m join message_receipt r on r.message_id = m.id where r.operator_id = $1 and m.title = '佣金待结算：周启明'",
      [clerk.operatorId],
    );
    expect(rows).toHaveLength(2);
  });

  test("two deliveries at once make one", async () => {
    const who = await somebody();
    const id = await aDeal(house, desk, who);
    await house.database.pool.query("delete from commission where contract_id = $1", [id]);
    await Promise.allSettled([contractsSigned(house, [id]), contractsSigned(house, [id])]);
    expect(await commissionOf(id)).toHaveLength(1);
  });

  test("the tenant leaves after 45 of 90 days: 1,500.00 is taken back, once", async () => {
    const id = await aDeal(house, desk, { ...(await somebody()), start: "2026-12-01" });
    await acting(house, async (act) => {
      await startLeaving(act, { contractId: id }, "2026-11-20");
      await freeRooms(act, { contractId: id }, "2027-01-14");
    });
    await news(house, "commission.clawed", { contractId: id, day: "2027-01-14" });
    await news(house, "commission.clawed", { contractId: id, day: "2027-01-14" });
    const lines = await commissionOf(id);
    expect(lines.map((c) => [c.kind, c.amount, c.state])).toEqual([
      ["first", 300_000, "owed"],
      ["claw", -150_000, "owed"],
    ]);
    expect(lines[0]!.left).toBe(150_000);
    const claw = await house.did(getCommission, { as: keeper }, { params: { id: lines[1]!.id } });
    expect(claw.explain.formula).toBe("3,000.00 × (90 - 45) ÷ 90 = 1,500.00");
  });

  test("one that stayed past the days keeps everything", async () => {
    const id = await aDeal(house, desk, await somebody());
    await acting(house, async (act) => {
      await startLeaving(act, { contractId: id }, "2026-11-20");
      await freeRooms(act, { contractId: id }, "2027-03-01");
    });
    await news(house, "commission.clawed", { contractId: id, day: "2027-03-01" });
    expect((await commissionOf(id)).map((c) => c.amount)).toEqual([300_000]);
  });

  test("who stays to the last day of a short term, or is renewed, costs the agent nothing", async () => {
    const left = async (deal: object, day: string, sets = "") => {
      const id = await aDeal(house, desk, { ...(await somebody()), start: "2026-12-01", ...deal });
      await acting(house, async (act) => {
        await startLeaving(act, { contractId: id }, "2026-11-20");
        await freeRooms(act, { contractId: id }, day);
      });
      if (sets) await house.database.pool.query(`update contract set ${sets} where id = $1`, [id]);
      await news(house, "commission.clawed", { contractId: id, day });
      return (await commissionOf(id)).map((c) => c.kind);
    };
    expect(await left({ months: 2 }, "2027-01-31")).toEqual(["first"]);
    expect(await left({ months: 2 }, "2027-01-30")).toEqual(["first", "claw"]);
    expect(await left({}, "2027-01-14", "next_id = id")).toEqual(["first"]);
  });

  test("an agent earns nothing by a lease of his own", async () => {
    const who = await somebody();
    const { id: agentId } = await house.did(
      addAgent,
      { as: keeper },
      { body: typedAgent(desk, { phone: who.phone }) },
    );
    const refused = await house.ask(
      addLead,
      { as: clerk },
      {
        body: {
          name: "本人",
          phone: who.phone,
          source: "agent",
          agentId,
          villageIds: [desk.villageId],
        },
      },
    );
    expect(refused.body.fields).toEqual([{ field: "agentId", msg: "经纪人不能为本人租约提佣" }]);
    await house.database.pool.query("update agent set phone = '13600000099' where id = $1", [agentId]);
    const id = await aDeal(house, desk, { ...who, agentId });
    await house.database.pool.query("delete from commission where contract_id = $1", [id]);
    await house.database.pool.query("update agent set phone = $2 where id = $1", [agentId, who.phone]);
    await contractsSigned(house, [id]);
    expect(await commissionOf(id)).toEqual([]);
  });

  test("a contract that is undone takes its commission with it", async () => {
    const id = await aDeal(house, desk, await somebody());
    await news(house, "commission.undone", { contractId: id });
    expect((await commissionOf(id)).map((c) => c.state)).toEqual(["void"]);
  });
});

describe("by hand", () => {
  test("void only while it is owed; taken back no more than is left, and not twice at once", async () => {
    const id = await aDeal(house, desk, await somebody());
    const [one] = await commissionOf(id);
    const claw = (amount: number, version: number) =>
      house.ask(
        clawCommission,
        { as: keeper },
        { params: { id: one!.id }, body: { amount, version, reason: "重复带看" } },
      );
    expect((await claw(300_001, one!.version)).body.message).toContain("不能大于");
    const both = await Promise.all([claw(200_000, one!.version), claw(200_000, one!.version)]);
    expect(both.map((r) => r.status).toSorted()).toEqual([200, 409]);
    const [now] = await commissionOf(id);
    expect(now).toMatchObject({ left: 100_000, state: "owed" });
    expect((await claw(100_000, now!.version)).status).toBe(200);
    expect((await commissionOf(id)).map((c) => [c.amount, c.state])).toEqual([
      [300_000, "clawed"],
      [-200_000, "clawed"],
      [-100_000, "clawed"],
    ]);
    const again = await commissionOf(id);
    const late = await house.ask(
      voidCommission,
      { as: keeper },
      { params: { id: one!.id }, body: { reason: "客户退租", version: again[0]!.version } },
    );
    expect(late.body.message).toBe("当前状态为“已扣回”，不能作废");
  });

  test("the database lets nobody take back more than was earned", async () => {
    const [one] = await commissionOf(await aDeal(house, desk, await somebody()));
    await expect(
      house.database.pool.query(
        `insert into commission (number, enterprise_id, village_id, contract_id, kind, claws_id, by_hand, agent_id, rule_id,
           signed_on, base, amount, explain, payable_from)
         select 'YJ-x', enterprise_id, village_id, contract_id, 'claw', id, true, agent_id, rule_id, signed_on, base,
           -300001, '{}', payable_from from commission where id = $1`,
        [one!.id],
      ),
    ).rejects.toThrow("more is taken back than was earned");
  });

  test("a stranger finds nothing", async () => {
    const [one] = (await commissionsOf(house, desk)).list;
    const params = { id: one!.id };
    expect((await house.ask(getCommission, { as: stranger }, { params })).status).toBe(404);
    const body = { amount: 100, reason: "重复带看", version: one!.version };
    expect((await house.ask(clawCommission, { as: stranger }, { params, body })).status).toBe(404);
    expect((await house.ask(getAgent, { as: stranger }, { params: { id: desk.agentId } })).status).toBe(404);
  });
});

describe("an agent's figures", () => {
  test("leads, deals and money are those of the lists they open", async () => {
    const { list } = await house.did(listAgents, { as: keeper }, { query: { keyword: "周启明" } });
    const agent = list.find((a) => a.id === desk.agentId)!;
    const leads = await house.did(listLeads, { as: keeper }, { query: { agentId: desk.agentId } as never });
    expect(agent.leads).toBe(leads.total);
    expect(agent.deals).toBe(leads.list.filter((l) => l.state === "signed").length);
    expect(agent.rate).toBeCloseTo(agent.deals / agent.leads);
    const owed = await commissionsOf(house, desk, { agentId: desk.agentId, state: "owed" });
    expect(agent.owed).toBe(owed.sums!.owed);
    expect(owed.list.reduce((sum, c) => sum + c.amount, 0)).toBe(owed.sums!.owed);
  });

  test("who is disabled is refused for new leads; the open ones stay", async () => {
    const who = await somebody();
    const { id: agentId } = await house.did(addAgent, { as: keeper }, { body: typedAgent(desk) });
    const body = (phone: string) => ({
      name: "沈知夏",
      phone,
      source: "agent",
      agentId,
      villageIds: [desk.villageId],
    });
    await house.did(addLead, { as: clerk }, { body: body(who.phone) });
    await house.did(disableAgent, { as: keeper }, { params: { id: agentId }, body: { version: 1 } });
    const refused = await house.ask(addLead, { as: clerk }, { body: body("13700009999") });
    expect(refused.body.fields).toEqual([{ field: "agentId", msg: "该经纪人已停用" }]);
    const open = await house.did(listLeads, { as: keeper }, { query: { agentId } as never });
    expect(open.total).toBe(1);
  });
});
