import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { expireEnded } from "../signing/clock.service.ts";
import { PERMITS, aSettler } from "../settlement/settlement.sample.ts";
import { listExpired } from "./leaving.contract.ts";

const house = await testHouse();
const { as, lease, asked } = await aSettler(house);

test("contracts that ran out are shown until somebody settles them", async () => {
  const contract = await lease({ end: "2026-06-14" });
  const other = await lease();
  house.setClock("2026-06-20T10:00:00+08:00");
  await acting(house, (act) => expireEnded(act));
  const list = async (who = as) => (await house.did(listExpired, { as: who }, { query: {} as never })).list;
  expect(await list()).toMatchObject([
    {
      id: contract.id,
      contractNo: contract.contractNo,
      daysOver: 6,
      depositHeld: 350_000,
      partyName: "张三",
    },
  ]);
  expect((await list()).map((c) => c.id)).not.toContain(other.id);
  const stranger = await house.person({ permits: PERMITS, villages: [] });
  expect(await list(stranger)).toEqual([]);
  await asked(contract.id, { effectiveOn: "2026-06-20", endReason: "normal", noticeOn: undefined });
  expect(await list()).toEqual([]);
});
