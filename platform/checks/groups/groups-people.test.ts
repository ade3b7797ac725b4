import { expect, test } from "vitest";
import { z } from "zod";
import { aStaff } from "../../../domains/access/operator/operator.sample.ts";
import { testHouse } from "../../server/process/house.sample.ts";
import { openBook } from "../../server/sheets/book.sample.ts";
import { groupOf, paged, withId } from "./groups.ts";

const house = await testHouse();
const { good, blob, everyOne } = groupOf(
  house,
  /^\/system\/api\/v3\/(operator(?!\/updatePassword)|operatorVillage|role|orgDepartment|function)(\/|$)/,
);
const staff = await aStaff(house);
const { here, there, boss: as, departmentId } = staff;
const root = await house.person({ superType: "0", name: "平台" });
const state = z.object({ id: z.number(), version: z.number().int() });
const person = z.object({ id: z.number(), realName: z.string(), phone: z.string() });

test("roles: added, listed, offered, read and changed", async () => {
  const path = "/system/api/v3/role";
  const body = { name: "前台", remark: "", keys: ["6.query"] };
  const { id } = await good("POST", path, { as, body }, withId);
  const named = z.object({ id: z.number(), name: z.string() });
  const { list } = await good("GET", path, { as, query: { keyword: "前台" } }, paged(named));
  expect(list).toMatchObject([{ id, name: "前台" }]);
  expect(await good("GET", `${path}/roles`, { as }, z.array(named))).toContainEqual({ id, name: "前台" });
  const { version, keys } = await good(
    "GET",
    `${path}/{id}`,
    { as, params: { id } },
    state.extend({ keys: z.array(z.string()) }),
  );
  expect(keys).toContain("6.query");
  await good("PUT", path, { as, body: { ...body, id, name: "前台接待", version } }, withId);
});

test("departments: added, as a tree and a list, read, changed and deleted", async () => {
  const path = "/system/api/v3/orgDepartment";
  const body = { name: "客服部", parentId: departmentId };
  const { id } = await good("POST", path, { as, body }, withId);
  const node = z.object({ id: z.number(), name: z.string(), parentId: z.number().nullable() });
  const found = { id, ...body };
  expect(await good("GET", `${path}/menu`, { as }, z.array(node))).toContainEqual(found);
  expect((await good("GET", `${path}/list`, { as }, paged(node))).list).toContainEqual(found);
  const params = { id };
  const { version } = await good("GET", `${path}/{id}`, { as, params }, state);
  await good("PUT", `${path}/{id}`, { as, params, body: { ...body, name: "客户服务部", version } }, withId);
  await good("DELETE", `${path}/deleteStatus/{id}`, { as, params }, z.null());
});

test("operators: added, found, read, changed without a password, verified, unlocked, taken out of a role", async () => {
  const path = "/system/api/v3/operator";
  const body = {
    account: "reception1",
    realName: "林小满",
    phone: "13805719999",
    password: "Ruzhu2026!",
    assignments: [
      { departmentId, roleId: staff.looking },
      { departmentId, roleId: staff.cashier },
    ],
    villageIds: [here],
  };
  const { id } = await good("POST", path, { as, body }, withId);
  const params = { id };
  const keyword = { as, query: { keyword: "reception1" } };
  const { list } = await good("GET", `${path}/queryOperatorList`, keyword, paged(person));
  expect(list).toMatchObject([{ id, realName: "林小满", phone: "138****9999" }]);
  const holding = { as, query: { permit: "102.add", villageId: here } };
  const holders = await good("GET", `${path}/queryPermissionOperatorList`, holding, z.array(person));
  expect(holders.map((p) => p.id)).toContain(id);
  const now = await good("GET", `${path}/{id}`, { as, params }, state);
  const { password: _, ...rest } = body;
  const edited = { ...rest, realName: "林晓满", phone: "", villageIds: [here, there], version: now.version };
  await good("PUT", `${path}/update/{id}`, { as, params, body: edited }, withId);
  const fresh = await good("GET", `${path}/{id}`, { as, params }, state);
  await good(
    "PUT",
    `${path}/updateVerify`,
    { as, body: { id, verified: true, version: fresh.version } },
    withId,
  );
  await house.database.pool.query(
    "insert into login_lock select lower(account), '203.0.113.1', 1, now() + interval '15 minutes' from operator where id = $1",
    [id],
  );
  await good("GET", `${path}/unlock/{id}`, { as, params }, z.null());
  const place = { id, roleId: staff.cashier, depid: departmentId };
  await good("DELETE", `${path}/{id}/{roleId}/{depid}`, { as, params: place }, withId);
});

test("operators come as a workbook", async () => {
  const { type, disposition, bytes } = await blob("/system/api/v3/operator/exportOperatorInfo", { as });
  expect(type).toContain("spreadsheetml");
  expect(disposition).toMatch(/^attachment; filename\*=UTF-8''.+\.xlsx$/);
  const [sheet] = await openBook(bytes);
  expect(sheet!.rows.length).toBeGreaterThan(2);
});

test("of a village: who signs, and who manages it", async () => {
  const query = { villageId: here };
  const path = "/system/api/v3/operatorVillage";
  await good("GET", `${path}/signOperator`, { as, query }, z.array(person));
  const managers = await good("GET", `${path}/villageManager`, { as, query }, z.array(person).min(1));
  expect(managers.map((m) => m.id)).toContain(as.operatorId);
});

test("functions: the tree, one's own, one for editing; a link is added, changed and deleted", async () => {
  const path = "/system/api/v3/function";
  const node = state.extend({ key: z.string(), name: z.string(), permissionId: z.number().int() });
  const tree = await good("GET", path, { as: root }, z.array(node).min(100));
  const own = z.array(z.object({ key: z.string(), permissionId: z.number().int() }));
  expect(await good("GET", `${path}/operator`, { as: staff.head }, own)).toContainEqual(
    expect.objectContaining({ key: "6.query", permissionId: 6 }),
  );
  const menu = tree[0]!;
  const link = { level: "2", name: "帮助中心", permissionId: 990_001, path: "https://help.example.com/a" };
  const { id } = await good("POST", path, { as: root, body: { ...link, parentId: menu.id } }, withId);
  const { version } = await good("GET", `${path}/edit/{id}`, { as: root, params: { id } }, node);
  const body = {
    id,
    name: "帮助",
    icon: "",
    orderNum: 1,
    hidden: false,
    path: link.path,
    remark: "",
    version,
  };
  await good("PUT", path, { as: root, body }, withId);
  const again = await good("GET", `${path}/edit/{id}`, { as: root, params: { id } }, node);
  await good("DELETE", path, { as: root, query: { id, version: again.version } }, withId);
});

everyOne();
