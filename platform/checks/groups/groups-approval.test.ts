import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type Approved, anApprovedStore } from "../../../domains/finance/bill-acts/approval.sample.ts";
import { testHouse } from "../../server/process/house.sample.ts";
import { groupOf, paged, withId } from "./groups.ts";

const house = await testHouse({ poolSize: 6 });
const { good, everyOne } = groupOf(house, /^\/system\/api\/v(3\/examine|4\/module|3\/moduleNode)(\/|$)/);
let world: Approved;
beforeAll(async () => void (world = await anApprovedStore(house)));

const state = withId.extend({ version: z.number().int() });
const waiting = state.extend({ state: z.string(), examineNo: z.string() });

test("approvals: waiting ones are counted, listed and read; one is rejected and handed in again, then granted", async () => {
  const id = (await world.voiding(await world.bill(150_000))).examineId!;
  const as = world.manager;
  const path = "/system/api/v3/examine";
  const { mine } = await good("GET", `${path}/count`, { as }, z.object({ mine: z.number().int() }));
  expect(mine).toBe(1);
  const { list, total } = await good("GET", path, { as, query: { pageNo: 1, pageSize: 10 } }, paged(waiting));
  expect([list[0]!.id, total]).toEqual([id, 1]);
  const params = { id };
  const decide = async (decision: string, by = as) => {
    const { version } = await good("GET", `${path}/{id}`, { as: by, params }, waiting);
    const body = { decision, comment: "请补充说明", version };
    return good("PUT", `${path}/{id}`, { as: by, params, body }, z.object({ state: z.string() }));
  };
  await decide("reject");
  const { version } = await good("GET", `${path}/{id}`, { as: world.clerk, params }, waiting);
  await good("PUT", `${path}/{id}/submit`, { as: world.clerk, params, body: { version } }, withId);
  expect((await decide("approve")).state).toBe("approved");
});

test("modules: types, villages that are free, read, renamed, written whole, given villages", async () => {
  const as = world.admin;
  const path = "/system/api/v4/module";
  const types = await good("GET", `${path}/type`, { as }, z.array(z.object({ type: z.string() })).min(1));
  expect(types.map((t) => t.type)).toContain("billVoid");
  const free = await good(
    "GET",
    `${path}/{moduleType}/configurable/village`,
    { as, params: { moduleType: "billVoid" }, query: { moduleId: world.moduleId } },
    z.array(withId),
  );
  expect(free.map((v) => v.id)).toContain(world.store.villageId);
  const { list } = await good("GET", path, { as }, paged(state));
  const params = { id: list[0]!.id };
  const now = () =>
    good("GET", `${path}/{id}`, { as, params }, state.extend({ processes: z.array(z.looseObject({})) }));
  const { version } = await now();
  await good("PUT", `${path}/{id}`, { as, params, body: { name: "作废审批", version } }, state);
  const fallbackOperatorId = world.fallback.operatorId;
  const node = { name: "店长", by: "operators", operatorIds: [world.manager.operatorId], mode: "any" };
  const processes = [{ name: "默认流程", nodes: [node] }];
  const whole = { name: "作废审批", fallbackOperatorId, processes, version: (await now()).version };
  await good("PUT", `${path}/{id}/update`, { as, params, body: whole }, state);
  const villages = { villageIds: [world.store.villageId], version: (await now()).version };
  await good("PUT", `${path}/{id}/updateVillage`, { as, params, body: villages }, state);
});

test("a process is added to a module, its node changed, and taken away", async () => {
  const as = world.admin;
  const params = { id: world.moduleId };
  const shown = z.array(withId.extend({ name: z.string(), nodes: z.array(withId) }));
  const now = () =>
    good("GET", "/system/api/v4/module/{id}", { as, params }, state.extend({ processes: shown }));
  const node = { name: "店长", by: "operators", operatorIds: [world.manager.operatorId], mode: "any" };
  const added = {
    name: "大额",
    conditions: [{ field: "amount", op: "gte", value: 500_000 }],
    nodes: [node],
    moduleId: world.moduleId,
    version: (await now()).version,
  };
  await good("POST", "/system/api/v4/module/process/add", { as, body: added }, state);
  const { processes, version } = await now();
  const large = processes.find((p) => p.name === "大额")!;
  const body = { ...node, name: "门店负责人", version };
  const of = { id: large.nodes[0]!.id };
  await good("POST", "/system/api/v3/moduleNode/{id}/edit", { as, params: of, body }, state);
  const edited = (await now()).processes.find((p) => p.name === "大额")!;
  const gone = { as, params: { id: edited.id } };
  await good("DELETE", "/system/api/v4/module/process/{id}/delete", gone, state);
  expect((await now()).processes.map((p) => p.name)).not.toContain("大额");
});

everyOne();
