import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { payTill, payWays } from "../../finance/pay-order/pay-order.contract.ts";
import { aTill } from "../../finance/pay-order/pay-order.sample.ts";
import { showReservationCode } from "./acts.contract.ts";
import { aDesk, aReservation } from "../reservation/reservation.sample.ts";

const OFF = "内置收银未启用，请接入支付渠道";
const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await aDesk(house);
const { clerk: as, villageId } = desk;
await aTill(house, villageId);
const settings = house.settings as { MODE: string; EMBEDDED_TILL?: boolean };

test("in production customers settle nothing at the embedded till unless somebody wants it", async () => {
  const { id } = await aReservation(house, desk, { roomId: await desk.room("T1") });
  const show = () => house.ask(showReservationCode, { as, key: randomUUID() }, { params: { id }, body: {} });
  const pay = (token: string) => house.ask(payTill, {}, { params: { token } });
  const { token } = (await show()).body.data;

  settings.MODE = "production";
  expect((await pay(token)).body.message).toBe(OFF);
  expect(await house.did(payWays, { as }, { query: { villageId } })).toMatchObject([
    { channel: "till", why: OFF },
  ]);
  expect((await show()).body.fields).toEqual([{ field: "channel", msg: OFF }]);
  expect(await house.database.db.selectFrom("flow").select("id").execute()).toEqual([]);

  settings.EMBEDDED_TILL = true;
  expect((await pay(token)).status).toBe(200);
});
