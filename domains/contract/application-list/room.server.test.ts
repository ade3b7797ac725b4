import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aRoom, aShop } from "../contract/contract.sample.ts";
import {
  cancelApplication,
  holdApplication,
  rejectApplication,
} from "../lease-application/application.contract.ts";
import { followApplications } from "../lease-application/application.job.ts";
import { applicationOf, applied, DESK } from "../lease-application/application.sample.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house, { permits: [...DESK, "15.add", "15.get"], listPrice: 300_000 });
const as = shop.clerk;
const { pool } = house.database;
let rooms = 0;
const place = async () => ({
  villageId: shop.villageId,
  roomId: await aRoom(house, shop.building, `L${++rooms}`, 300_000),
});

test.each([
  ["rejected", rejectApplication],
  ["cancelled", cancelApplication],
  ["expired", undefined],
] as const)(
  "a room that is kept for an applicant is free again once the request is %s",
  async (state, call) => {
    const here = await place();
    const { id } = await applied(house, as, here);
    const body = { version: 1, holdUntil: "2026-03-15", rent: 300_000 };
    await house.did(holdApplication, { as }, { params: { id }, body });
    const other = await applied(house, as, here, { phone: "13612340077" });
    expect((await applicationOf(house, as, other.id)).roomState).toBe("taken");
    const sent = { params: { id }, body: { version: 2, reason: "客户不租了" } };
    if (call) await house.did(call as typeof rejectApplication, { as }, sent);
    else {
      await pool.query("update lease_application set expires_on = '2026-03-12' where id = $1", [id]);
      await acting(house, followApplications);
    }
    expect(await applicationOf(house, as, id)).toMatchObject({ state, held: false });
    expect((await applicationOf(house, as, other.id)).roomState).toBe("free");
  },
);
