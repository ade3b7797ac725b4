import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aPlan, handedIn } from "../../listing/price-change/price-change.sample.ts";
import { room } from "../../listing/room-acts/room.contract.ts";
import { convertReservation } from "../reservation-acts/acts.contract.ts";
import { aDesk, aHeldReservation, reservationOf } from "./reservation.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await aDesk(house);

test("a price change of its room leaves a reservation at the rent that was agreed, and so does its contract", async () => {
  const { id } = await aHeldReservation(house, desk);
  const head = await house.person({
    permits: ["6.query", "6.get", "6.add", "6.edit", "#601"],
    villages: [desk.villageId],
  });
  await handedIn(house, head, aPlan([desk.villageId], { effectiveDay: "2026-11-20" }));
  const { listPrice } = await house.did(room, { as: head }, { params: { id: desk.roomId } });
  expect(listPrice).toBe(309_900);
  const reservation = await reservationOf(house, desk, id);
  expect(reservation).toMatchObject({ rent: 300_000, state: "held" });
  const start = await house.did(
    convertReservation,
    { as: desk.clerk },
    { params: { id }, body: { version: reservation.version } },
  );
  expect(start.rent).toBe(300_000);
});
