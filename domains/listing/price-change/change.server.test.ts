import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { roomPrices, setRoomPrice } from "../pricing/room-price.contract.ts";
import { aLease, acting } from "../village/village.sample.ts";
import {
  addChange,
  cancelChange,
  editChange,
  getChange,
  submitChange,
  countChange,
} from "./change.contract.ts";
import { aPlan, aPricedStore, drafted, handedIn, previewed } from "./price-change.sample.ts";
import { announceDue } from "./announce.service.ts";

const house = await testHouse({ poolSize: 6 });
const { pool } = house.database;
const { villageId, manager, head, clerk, three, priceOf, on } = await aPricedStore(house);
const [a, b, c] = three;
const named = (...roomIds: number[]) => ({ roomIds });

describe("+3.3 % to yuan from the first of December", () => {
  test("is seen before: each room, the totals, the spread", async () => {
    const seen = await previewed(house, head, aPlan([villageId]));
    expect(seen.lines.map((l) => [l.oldList, l.newList, l.change])).toEqual([
      [300_000, 309_900, 9_900],
      [298_550, 308_400, 9_850],
      [312_000, 322_300, 10_300],
    ]);
    expect(seen).toMatchObject({
      rooms: 3,
      skipped: 0,
      oldAverage: 303_517,
      newAverage: 313_533,
      effect: 30_050,
    });
    expect(seen.histogram.before.reduce((x, y) => x + y, 0)).toBe(3);
    expect(seen.lines[0]).toMatchObject({ oldLowest: 300_000, newLowest: 300_000 });
    const bare = await previewed(house, clerk, aPlan([villageId]));
    expect(bare.lines[0]).not.toHaveProperty("oldLowest");
    expect((await house.did(countChange, { as: clerk }, { body: { villageIds: [villageId] } })).rooms).toBe(
      3,
    );
  });

  test("counts from that day on; a signed contract keeps its rent, its manager hears of it once", async () => {
    const lease = await aLease(house, a, "2026-11-19", "2027-11-18");
    await pool.query(
      "insert into contract_room (contract_id, room_id, join_date, monthly_rent, list_price) values ($1, $2, '2026-11-19', 300000, 300000)",
      [lease.id, a],
    );
    const { id, number, state } = await handedIn(house, head, aPlan([villageId]));
    expect(state).toBe("scheduled");
    expect(await Promise.all(three.map(priceOf))).toEqual([300_000, 298_550, 312_000]);
    await on("2026-11-30", async () => expect(await priceOf(b)).toBe(298_550));
    await on("2026-12-01", async () => {
      expect(await Promise.all(three.map(priceOf))).toEqual([309_900, 308_400, 322_300]);
      const { rows } = await pool.query("select monthly_rent from contract_room where contract_id = $1", [
        lease.id,
      ]);
      expect(Number(rows[0].monthly_rent)).toBe(300_000);
      expect(await acting(house, announceDue)).toBe(1);
      expect(await acting(house, announceDue)).toBe(0);
      const told = await pool.query(
        "select m.title from message m join message_receipt r on r.message_id = m.id where r.operator_id = $1",
        [manager.operatorId],
      );
      expect(told.rows).toEqual([{ title: "滨江店 3 间房今日起执行新价格" }]);
      const gone = await house.ask(cancelChange, { as: head }, { params: { id }, body: { version: 3 } });
      expect([gone.status, gone.body.message]).toEqual([409, "调价已生效，不能取消"]);
    });
    const history = await house.did(roomPrices, { as: head }, { params: { id: b } });
    expect(history.map((p) => [p.effectiveDay, p.listPrice, p.source])).toEqual([
      ["2026-12-01", 308_400, "batch"],
      ["2024-01-01", 298_550, "manual"],
    ]);
    const { rows } = await pool.query(
      "select summary from business_log where kind = 'room' and record_id = $1 order by id desc limit 1",
      [b],
    );
    expect(rows[0].summary).toBe(`批量调价 ${number}，2026-12-01 起：2,985.50 → 3,084.00`);
    // another change of the same rooms on or after that day leaves them out by its number
    const again = await previewed(house, head, aPlan([villageId], { effectiveDay: "2026-12-01" }));
    expect(again.lines.map((l) => l.why)).toEqual(Array(3).fill(`已在调价单 ${number} 中`));
    expect(again.problems).toEqual(["所选房间全部跳过，没有可调整的房间"]);
    const later = await previewed(house, head, aPlan([villageId], { effectiveDay: "2026-12-15" }));
    expect(later.lines.map((l) => l.oldList)).toEqual([309_900, 308_400, 322_300]);
    // taken back, the prices of today stay
    const { version } = await house.did(getChange, { as: head }, { params: { id } });
    await house.did(cancelChange, { as: head }, { params: { id }, body: { version } });
    await on("2026-12-01", async () => expect(await priceOf(b)).toBe(298_550));
  });
});

test("someone changes one price meanwhile: refused and shown anew", async () => {
  const plan = aPlan([villageId], named(b, c));
  const { hash } = await previewed(house, head, plan);
  await house.did(
    setRoomPrice,
    { as: head },
    { params: { id: c }, body: { listPrice: 320_000, effectiveDay: "2026-11-20" } },
  );
  const refused = await house.ask(addChange, { as: head }, { body: { ...plan, reason: "旺季调价", hash } });
  expect([refused.status, refused.body.message]).toEqual([409, "房价已变化，请重新预览"]);
  const fresh = refused.body.data as unknown as { hash: string; lines: { newList: number }[] };
  expect(fresh.lines.map((l) => l.newList)).toEqual([308_400, 330_600]);
  const made = await house.did(
    addChange,
    { as: head },
    { body: { ...plan, reason: "旺季调价", hash: fresh.hash } },
  );
  // the same between draft and submission
  await house.did(
    setRoomPrice,
    { as: head },
    { params: { id: c }, body: { listPrice: 312_000, effectiveDay: "2026-11-20" } },
  );
  const late = await house.ask(
    submitChange,
    { as: head },
    { params: { id: made.id }, body: { version: made.version } },
  );
  expect([late.status, late.body.message]).toEqual([409, "房价已变化，请重新预览"]);
  const shown = await house.did(getChange, { as: head }, { params: { id: made.id } });
  expect(shown.state).toBe("draft");
  const again = await previewed(house, head, { ...shown.plan, self: made.id });
  const edited = await house.did(
    editChange,
    { as: head },
    {
      params: { id: made.id },
      body: { ...shown.plan, reason: "旺季调价", hash: again.hash, version: shown.version },
    },
  );
  await house.did(submitChange, { as: head }, { params: { id: made.id }, body: { version: edited.version } });
  const done = await house.did(getChange, { as: head }, { params: { id: made.id } });
  await house.did(cancelChange, { as: head }, { params: { id: made.id }, body: { version: done.version } });
});

test("two changes of one room at once: one stands, the other is told to look again", async () => {
  const plan = aPlan([villageId], { ...named(b), effectiveDay: "2026-12-20" });
  const drafts = [await drafted(house, head, plan), await drafted(house, head, plan)];
  const answers = await Promise.all(
    drafts.map(({ id, version }) =>
      house.ask(submitChange, { as: head }, { params: { id }, body: { version } }),
    ),
  );
  expect(answers.map((x) => x.status).toSorted()).toEqual([200, 409]);
  expect(answers.find((x) => x.status === 409)!.body.message).toBe("房价已变化，请重新预览");
});

test("the lines of what was carried out stay as they are, whoever tries", async () => {
  await expect(
    pool.query(
      "update price_change_line set new_list = 1 where change_id = (select id from price_change where state = 'scheduled' limit 1)",
    ),
  ).rejects.toThrow("kept");
});
