import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  disableOperator,
  removeAssignment,
  resetPassword,
  viewAs,
} from "../../../domains/access/operator/operator.contract.ts";
import { aStaff } from "../../../domains/access/operator/operator.sample.ts";
import { replaceGivenPassword } from "../../../domains/access/password/password.contract.ts";
import { editRole, getRole } from "../../../domains/access/role/role.contract.ts";
import {
  endSession,
  listSessions,
  logout,
  userInfo,
} from "../../../domains/access/session/session.contract.ts";
import { villages } from "../../../domains/listing/village/village.contract.ts";
import { type Person, testHouse } from "../../server/process/house.sample.ts";

/** A stolen token is worth nothing once its owner or an administrator has acted. */
const house = await testHouse();
const { pool } = house.database;
let staff: Awaited<ReturnType<typeof aStaff>>;
beforeAll(async () => void (staff = await aStaff(house)));

let id: number;
let here: Person;
let stolen: Person;
beforeEach(async () => {
  id = await staff.added();
  [here, stolen] = [await staff.signedIn(id), await staff.signedIn(id)];
});
const asks = async (as: Person) => {
  const { status, body } = await house.ask(userInfo, { as });
  if (status === 401) expect(body.message).toBe("未授权，请重新登录(401)");
  return status;
};
const both = async () => [await asks(here), await asks(stolen)];
const version = () => staff.versionOf(id);

test("after the log-out its token is refused; a session elsewhere lives on until it is ended by its owner", async () => {
  await house.did(logout, { as: here });
  expect(await both()).toEqual([401, 200]);
  const again = await staff.signedIn(id);
  const { list } = await house.did(listSessions, { as: again }, { query: {} });
  const other = list.find((s) => !s.mine)!;
  await house.did(endSession, { as: again }, { params: { id: other.id } });
  expect(await asks(stolen)).toBe(401);
});

test("a new password ends all other sessions", async () => {
  await pool.query("update operator set must_change_password = true where id = $1", [id]);
  await house.did(replaceGivenPassword, { as: here }, { body: { password: "Fresh2027!" } });
  expect(await both()).toEqual([200, 401]);
});

test("a password that an administrator sets, or resets, ends every session", async () => {
  expect((await staff.edited(staff.boss, id, { password: "Given2027!" })).status).toBe(200);
  expect(await both()).toEqual([401, 401]);
  here = await staff.signedIn(id);
  await house.did(resetPassword, { as: staff.boss }, { params: { id }, body: { version: await version() } });
  expect(await asks(here)).toBe(401);
});

test("who is disabled is out at once, and so is who loses the last role", async () => {
  await house.did(
    disableOperator,
    { as: staff.boss },
    { params: { id }, body: { version: await version() } },
  );
  expect(await both()).toEqual([401, 401]);
  id = await staff.added();
  here = await staff.signedIn(id);
  const place = { id, roleId: staff.looking, depid: staff.departmentId };
  await house.did(removeAssignment, { as: staff.boss }, { params: place });
  expect(await asks(here)).toBe(401);
});

test("a function taken from the role, or a village from the person, is gone with the next call", async () => {
  const list = () => house.ask(villages, { as: stolen }, { query: {} });
  expect((await list()).body.data.list).toHaveLength(2);
  await staff.edited(staff.boss, id, { villageIds: [staff.here] });
  expect((await list()).body.data.list).toHaveLength(1);
  const { name, version: held } = await house.did(
    getRole,
    { as: staff.boss },
    { params: { id: staff.looking } },
  );
  await house.did(
    editRole,
    { as: staff.boss },
    { body: { id: staff.looking, name, remark: "", keys: [], version: held } },
  );
  expect((await list()).status).toBe(403);
});

test("a view as somebody else ends with its viewer, reads only, and opens no further one", async () => {
  const boss = await house.person({ superType: "1" });
  const { token } = await house.did(viewAs, { as: boss }, { params: { id } });
  const view = { operatorId: id, token };
  expect(await asks(view)).toBe(200);
  const change = await house.ask(replaceGivenPassword, { as: view }, { body: { password: "Fresh2027!" } });
  expect(change.status).toBe(403);
  expect((await house.ask(viewAs, { as: view }, { params: { id: boss.operatorId } })).status).toBe(403);
  await pool.query("update operator set state = 'disabled' where id = $1", [boss.operatorId]);
  expect(await asks(view)).toBe(401);
});

test("a token counts in the Authorization header alone: not as a cookie, in the address or in the body", async () => {
  const { token } = here;
  for (const how of [
    { url: userInfo.path, headers: { cookie: `hzsk_token=${token}` } },
    { url: `${userInfo.path}?token=${token}&authorization=${token}` },
    { url: userInfo.path, headers: { "x-access-token": token, token } },
  ])
    expect((await house.app.inject(how)).statusCode).toBe(401);
  for (const authorization of [
    "",
    "null",
    "undefined",
    "Bearer",
    `Basic ${token}`,
    `${token} `.repeat(2),
    "'--",
  ])
    expect(
      (await house.app.inject({ url: userInfo.path, headers: { authorization } })).statusCode,
      authorization,
    ).toBe(401);
});
