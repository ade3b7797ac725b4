import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aScopeOf } from "../../access/operator/operator.sample.ts";
import { addSpecialDays, deleteSpecialDay, specialDays } from "./workday.contract.ts";

const house = await testHouse();
const { here } = await aScopeOf(house);
const admin = await house.person({ superType: "1", name: "许承锦" });
const local = await house.person({ permits: ["252.query", "252.edit"], villages: [here] });

test("days off are written down once, by who manages the whole enterprise, and taken out again", async () => {
  const as = { as: admin };
  const off = { from: "2026-10-01", to: "2026-10-07", kind: "off" as const, name: "国庆节" };
  expect(await house.did(addSpecialDays, as, { body: off })).toEqual({ count: 7 });
  const again = await house.ask(addSpecialDays, as, { body: off });
  expect(again.body.message).toBe("这些日子已在工作日历中，请先删除原来的");
  const back = await house.ask(addSpecialDays, as, { body: { ...off, from: "2026-10-09" } });
  expect(back.body.fields).toEqual([{ field: "to", msg: "结束日期不能早于开始日期" }]);
  const { days, editable } = await house.did(specialDays, as, {});
  expect(editable).toBe(true);
  expect(days.map((d) => d.day)).toEqual(
    ["07", "06", "05", "04", "03", "02", "01"].map((d) => `2026-10-${d}`),
  );
  expect(days[0]).toMatchObject({ kind: "off", name: "国庆节", who: "许承锦" });

  expect((await house.did(specialDays, { as: local }, {})).editable).toBe(false);
  expect(
    (await house.ask(addSpecialDays, { as: local }, { body: { ...off, to: "2026-10-01" } })).status,
  ).toBe(403);
  const { id, version } = days[0]!;
  const sent = { params: { id }, query: { version } };
  expect((await house.ask(deleteSpecialDay, { as: local }, sent)).status).toBe(403);
  await house.did(deleteSpecialDay, as, sent);
  expect((await house.ask(deleteSpecialDay, as, sent)).status).toBe(404);
  expect((await house.did(specialDays, as, {})).days).toHaveLength(6);
});
