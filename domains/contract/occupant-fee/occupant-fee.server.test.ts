import { expect, test } from "vitest";
import { idCheckDigit } from "../../../platform/kernel/texts/certificate.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { amendActs } from "../amendment/amendment.contract.ts";
import { anAmender } from "../amendment/amendment.sample.ts";
import { signed } from "../contract/contract.sample.ts";
import { aCompanyForm, someRooms } from "../contract/firm.sample.ts";
import { addOccupants } from "../occupant/occupant.contract.ts";
import jobs from "./occupant-fee.job.ts";

const house = await testHouse();
const at = await anAmender(house);
const { shop, as, pool } = at;
const { rows: subjects } = await pool.query(
  "select id::int, code from fee_subject where enterprise_id = $1",
  [house.enterpriseId],
);
const property = subjects.find((s) => s.code === "property").id as number;
const fee = { feeId: property, name: "物业费", kind: "recurring", amount: 10_000, payer: "occupant" };

let count = 0;
const card = () => {
  const first17 = `330106${19_900_307 + count++ * 10_000}101`;
  return first17 + idCheckDigit(first17);
};
const run = () => perform(house, jobs[0]!, {}, "run");
/** Bills of occupants with who pays them, by person. */
const theirs = async (contractId: number) =>
  (
    await pool.query(
      `select p.name, b.period_start::text "from", b.amount::int fen, b.due_date::text due from bill b join party p on p.id = b.party_id
       where b.source_id = $1 and b.source = 'schedule' and b.contract_id is null order by b.period_start, b.id`,
      [contractId],
    )
  ).rows;

/** A company's year over two rooms for two from March, whose occupants pay 100.00 a month for each room. */
async function aDorm(names: readonly [string, string]) {
  at.on("2026-03-01");
  const roomIds = await someRooms(house, shop, names);
  await pool.query("update room set capacity = 2 where id = any($1)", [roomIds]);
  const form = aCompanyForm(shop, roomIds, { rent: 180_000, start: "2026-03-01", fees: [fee] as never });
  const { id } = await signed(house, as, form, "2026-03-01");
  const add = async (roomId: number, name: string, day: string, certNo = card()) => {
    const people = [{ roomId, name, phone: `1380000${String(1000 + count)}`, certNo }];
    await house.did(addOccupants, { as }, { body: { companyId: shop.companyId, day, people } });
  };
  return { id, roomIds: roomIds as [number, number], add };
}

test("a month that is over is billed to who lived there, by days and persons; the company's bills are without it", async () => {
  const { id, roomIds, add } = await aDorm(["P1", "P2"]);
  expect((await at.bills(id)).map((b) => b.net).slice(1, 3)).toEqual([360_000, 360_000]);
  await add(roomIds[0], "赵一", "2026-03-01");
  await add(roomIds[0], "钱二", "2026-03-11");
  await run();
  expect(await theirs(id), "the month is not over").toEqual([]);
  at.on("2026-04-01");
  await run();
  await run();
  expect(await theirs(id)).toEqual([
    { name: "赵一", from: "2026-03-01", fen: 6_613, due: "2026-04-01" },
    { name: "钱二", from: "2026-03-01", fen: 3_387, due: "2026-04-01" },
  ]);
  // the next month finds them as the renters they are
  at.on("2026-05-01");
  await run();
  expect((await theirs(id)).slice(2).map((b) => [b.name, b.fen])).toEqual([
    ["赵一", 5_000],
    ["钱二", 5_000],
  ]);
  const { rows } = await pool.query("select count(*)::int n from party where name in ('赵一', '钱二')");
  expect(rows).toEqual([{ n: 2 }]);
  expect(await at.sound()).toEqual([]);
});

test("an amendment makes the company the payer from a day on: its bills have the fee, the occupants' last month is cut there", async () => {
  const { id, roomIds, add } = await aDorm(["P3", "P4"]);
  await add(roomIds[1], "孙三", "2026-03-01");
  at.on("2026-04-08");
  await run();
  await at.done(amendActs, id, {
    effectiveOn: "2026-04-16",
    reason: "物业费改由企业付",
    endFees: [property],
    fees: [{ feeId: property, kind: "recurring", amount: 20_000, payer: "party" }],
  });
  expect((await at.bills(id)).slice(2, 5).map((b) => b.net)).toEqual([370_000, 380_000, 380_000]);
  at.on("2026-05-02");
  await run();
  at.on("2026-06-02");
  await run();
  expect((await theirs(id)).map((b) => [b.from, b.fen])).toEqual([
    ["2026-03-01", 10_000],
    ["2026-04-01", 5_000],
  ]);
  expect(await at.sound()).toEqual([]);
});

test("what is charged once occupants do not pay", async () => {
  const { id } = await aDorm(["P5", "P6"]);
  const draft = {
    ...{ effectiveOn: "2026-04-16", reason: "保洁费" },
    fees: [{ feeId: property, kind: "once", amount: 20_000, payer: "occupant" }],
  };
  const answer = await house.ask(amendActs.ask, { as }, { body: { contractId: id, ...draft } as never });
  expect(answer.body.fields).toEqual([
    { field: "fees.0.payer", msg: "入住人付款的费用按月计算，请选择周期费用" },
  ]);
});
