import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { anAgentDesk } from "../../contract/contract/agent-deal.sample.ts";
import { sendSheet, sheetBytes } from "../../system/import/import.sample.ts";
import { addLead } from "../lead/lead.contract.ts";
import { typedLead } from "../lead/lead.sample.ts";
import { agentImport, deleteAgent, listAgents } from "./agent.contract.ts";

const house = await testHouse({ poolSize: 12 });
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await anAgentDesk(house);
const { keeper: as, stranger } = desk;

let phone = 13_631_000_000;
/** A file with these agents, imported. */
async function imported(...names: string[]) {
  const lines = names.map((name) => ({ 姓名: name, 电话: String(++phone), 佣金规则: "标准佣金" }));
  const bytes = await sheetBytes("经纪人", lines);
  const id = await sendSheet(house, as, agentImport, desk.villageId, bytes);
  await house.did(agentImport.commit, { as }, { params: { id }, body: { version: 1 } });
  const { list } = await house.did(listAgents, { as }, { query: {} });
  return { id, bytes, agents: names.map((name) => list.find((agent) => agent.name === name)!) };
}
const undo = (id: number, who = as) =>
  house.ask(agentImport.undo, { as: who, key: randomUUID() }, { params: { id }, body: { version: 2 } });
const brought = (agentId: number) =>
  house.ask(addLead, { as }, { body: typedLead(desk.villageId, { source: "agent", agentId }) });
const known = async (name: string) =>
  (await house.did(listAgents, { as }, { query: { keyword: name } })).total;

test("an import that is undone leaves nothing, and its file may come again", async () => {
  const { id, bytes } = await imported("温言", "温语");
  const seen = await house.did(agentImport.get, { as }, { params: { id } });
  expect(seen).toMatchObject({ number: expect.stringMatching(/^DA20261120-\d{6}$/), state: "done" });
  expect((await house.ask(agentImport.get, { as: stranger }, { params: { id } })).status).toBe(404);
  await expect(sendSheet(house, as, agentImport, desk.villageId, bytes)).rejects.toThrow(
    `（${seen.number}）`,
  );
  expect((await undo(id, stranger)).status).toBe(404);
  expect((await undo(id)).body.data).toEqual({ id, removed: 2 });
  expect(await known("温")).toBe(0);
  const late = await house.ask(agentImport.commit, { as, key: randomUUID() }, { params: { id }, body: {} });
  expect(late.body.message).toBe("该批次已撤销，请重新上传文件");
  const { list } = await house.did(agentImport.list, { as }, { query: {} });
  expect(list[0]).toMatchObject({
    id,
    rowCount: 2,
    errorCount: 0,
    state: "undone",
    createdName: "许文静",
    version: 3,
  });
  expect((await house.did(agentImport.list, { as: stranger }, { query: {} })).total).toBe(0);
  const again = await sendSheet(house, as, agentImport, desk.villageId, bytes);
  expect((await house.did(agentImport.get, { as }, { params: { id: again } })).state).toBe("ready");
});

test("with one who brought somebody it is refused, naming him", async () => {
  const { id, agents } = await imported("安然", "安宁");
  expect((await brought(agents[1]!.id)).status).toBe(200);
  expect((await undo(id)).body.message).toBe("1 位不能撤销：安宁有客源");
  expect(await known("安")).toBe(2);
});

test("one who was removed by hand meanwhile does not stand in the way", async () => {
  const { id, agents } = await imported("洛川", "洛宁");
  const { id: gone, version } = agents[0]!;
  await house.did(deleteAgent, { as }, { params: { id: gone }, query: { version } });
  expect((await undo(id)).body.data).toEqual({ id, removed: 1 });
  expect(await known("洛")).toBe(0);
});

test("a lead comes while the import is undone: one of them is too late", async () => {
  for (const name of ["柏一舟", "柏二舟", "柏三舟"]) {
    const { id, agents } = await imported(name);
    const [undone, came] = await Promise.all([undo(id), brought(agents[0]!.id)]);
    expect([undone.status, came.status]).toSatisfy(
      ([back, went]: number[]) => (back === 200 && went === 400) || (back === 409 && went === 200),
    );
    expect(await known(name)).toBe(undone.status === 200 ? 0 : 1);
  }
});

test("two take the same file at once: it comes in once", async () => {
  const lines = [{ 姓名: "施双", 电话: "13632000001", 佣金规则: "标准佣金" }];
  const bytes = await sheetBytes("经纪人", lines);
  const id = await sendSheet(house, as, agentImport, desk.villageId, bytes);
  const commit = () => house.ask(agentImport.commit, { as, key: randomUUID() }, { params: { id }, body: {} });
  const both = await Promise.all([commit(), commit()]);
  expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  expect(await known("施双")).toBe(1);
});
