import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { getPreference, putPreference } from "./preference.contract.ts";

const house = await testHouse();
const clerk = await house.person();
const other = await house.person();
const params = { key: "columns./accountManage/BillListManage" };
const get = (as = clerk) => house.did(getPreference, { as }, { params });
const put = (value: unknown) =>
  house.ask(putPreference, { as: clerk }, { params, body: { value: value as never } });

test("what one person chose comes back to that person alone, until it is forgotten", async () => {
  expect(await get()).toEqual({ value: null });
  await put({ on: ["no", "amount"], order: [2, 1] });
  await put({ on: ["no"] });
  expect(await get()).toEqual({ value: { on: ["no"] } });
  expect(await get(other)).toEqual({ value: null });
  await put(null);
  expect(await get()).toEqual({ value: null });
});

test("more than 20 KB is refused", async () => {
  expect((await put("宽".repeat(6_800))).status).toBe(200);
  expect((await put("宽".repeat(6_900))).body).toMatchObject({ code: 400, message: "个人设置过大" });
});
