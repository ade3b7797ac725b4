import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { signed } from "../contract/contract.sample.ts";
import { aFirmShop, aMerchantForm, aShopRoom } from "../contract/firm.sample.ts";
import { USUAL_RULE } from "../terms/terms.contract.ts";
import { undeclaredSales } from "./link.contract.ts";
import { declareSales, previewSales } from "./statement.contract.ts";
import { declareOn } from "./statement.rules.ts";
import { BANDS, aTurnoverDesk } from "./turnover.sample.ts";
import { followTurnover } from "./turnover.job.ts";

const house = await testHouse();
const { db } = house.database;

test("a month is declared on a day of the month after it", () => {
  expect(declareOn({ to: "2026-10-31" }, 5)).toBe("2026-11-05");
  expect(declareOn({ to: "2026-11-14" }, 5)).toBe("2026-12-05");
  expect(declareOn({ to: "2026-11-14" }, 15)).toBe("2026-11-15");
});

test("whoever forgets is reminded once, then the month is estimated; the declaration takes its place", async () => {
  house.setClock("2026-09-01T10:00:00+08:00");
  const shop = await aFirmShop(house);
  const as = shop.clerk;
  const roomId = await aShopRoom(house, shop, "S1");
  const rule = { ...USUAL_RULE, missing: "avg3" as const };
  const form = aMerchantForm(shop, roomId, { start: "2026-09-01", turnover: rule });
  const { id: contractId } = await signed(house, as, form, "2026-09-01");
  const follow = (day: string) => {
    house.setClock(`${day}T08:40:00+08:00`);
    return acting(house, followTurnover);
  };
  const messages = () =>
    db.selectFrom("message").select("title").where("onceKey", "like", "turnover.%").execute();
  const statements = () =>
    db
      .selectFrom("salesStatement")
      .select(["monthNo", "net", "source", "state"])
      .where("contractId", "=", contractId)
      .orderBy("id")
      .execute();

  expect(await follow("2026-10-04")).toBe(0);
  await follow("2026-10-05");
  await follow("2026-10-06");
  expect(await messages()).toEqual([{ title: "晨光早餐店 2026-09 营业额待申报" }]);
  expect(await follow("2026-10-10")).toBe(1);
  expect(await follow("2026-10-11")).toBe(0);
  expect(await statements()).toEqual([{ monthNo: 1, net: 0, source: "estimated", state: "submitted" }]);

  await house.did(declareSales, { as }, { body: { contractId, monthNo: 1, gross: 4_300_000 } });
  expect(await statements()).toEqual([
    { monthNo: 1, net: 0, source: "estimated", state: "corrected" },
    { monthNo: 1, net: 4_300_000, source: "declared", state: "submitted" },
  ]);
});

test("a month that is declared late in the next one is estimated although that has ended, too", async () => {
  house.setClock("2026-09-01T10:00:00+08:00");
  const shop = await aFirmShop(house, { village: "月末申报店" });
  const roomId = await aShopRoom(house, shop, "S3");
  const turnover = { ...USUAL_RULE, declareDay: 28 };
  const form = aMerchantForm(shop, roomId, { start: "2026-09-01", turnover });
  const { id: contractId } = await signed(house, shop.clerk, form, "2026-09-01");
  const guessed = async (day: string) => {
    house.setClock(`${day}T08:40:00+08:00`);
    await acting(house, followTurnover);
    const found = await db
      .selectFrom("salesStatement")
      .select("monthNo")
      .where("contractId", "=", contractId)
      .where("source", "=", "estimated")
      .orderBy("id")
      .execute();
    return found.map((s) => s.monthNo);
  };
  expect(await guessed("2026-11-01")).toEqual([]);
  expect(await guessed("2026-11-02")).toEqual([1]);
  expect(await guessed("2026-11-28")).toEqual([1]);
  expect(await guessed("2026-12-03")).toEqual([1, 2]);
  const { rows } = await house.database.pool.query<{ title: string }>(
    "select title from message where biz_id = $1 and once_key like 'turnover.%' order by id",
    [contractId],
  );
  expect(rows.map((row) => row.title.split(" ")[1])).toEqual(["2026-09、2026-10"]);
});

test("months before the last are asked for too: one message names them all, and each is listed", async () => {
  house.setClock("2026-09-01T10:00:00+08:00");
  const shop = await aFirmShop(house, { village: "催报店" });
  const as = shop.clerk;
  const roomId = await aShopRoom(house, shop, "S2");
  const form = aMerchantForm(shop, roomId, { start: "2026-09-01", turnover: USUAL_RULE });
  const { id: contractId } = await signed(house, as, form, "2026-09-01");
  house.setClock("2026-12-05T08:40:00+08:00");
  await house.did(declareSales, { as }, { body: { contractId, monthNo: 2, gross: 4_300_000 } });
  for (const _ of [1, 2]) await acting(house, followTurnover);
  const { rows } = await house.database.pool.query<{ title: string; content: string }>(
    "select title, content from message where biz_type = 'contract' and biz_id = $1 and once_key like 'turnover.%'",
    [contractId],
  );
  expect(rows.map((row) => row.title)).toEqual(["晨光早餐店 2026-09、2026-11 营业额待申报"]);
  expect(rows[0]!.content).toContain("还没有申报 2026-09、2026-11 的营业额");
  const listed = await house.did(undeclaredSales, { as }, { query: {} });
  expect(listed.filter((row) => row.contractId === contractId).map((row) => [row.month, row.state])).toEqual([
    ["2026-09", null],
    ["2026-11", null],
  ]);
});

test("of a shop that left early the last month is declared for its days, reminded of and estimated; later ones do not exist", async () => {
  const desk = await aTurnoverDesk(house);
  const { as, monthsOf } = desk;
  const id = await desk.aLease({ ...BANDS, declareDay: 5 });
  house.setClock("2026-04-01T10:00:00+08:00");
  for (const no of [1, 2]) await desk.confirm(await desk.declare(id, no, 12_000_000));
  // it goes back for a word, and the shop is settled meanwhile
  house.setClock("2026-06-01T10:00:00+08:00");
  const late = await desk.declare(id, 5, 12_000_000, { submit: true });
  await house.database.pool.query(
    "update contract set state = 'terminated', leave_date = '2026-03-15', end_reason = 'early' where id = $1",
    [id],
  );
  const { months } = await monthsOf(id);
  expect(months.map((m) => [m.no, m.to])).toEqual([
    [3, "2026-03-15"],
    [2, "2026-02-28"],
    [1, "2026-01-31"],
  ]);
  // 15 of 31 days of 10,000.00
  expect(months[0]!.base).toBe(483_871);
  const declared = await house.ask(declareSales, { as }, { body: { contractId: id, monthNo: 4, gross: 1 } });
  expect(declared.body.fields).toEqual([{ field: "monthNo", msg: "该月不在租期内" }]);
  const confirming = await house.ask(previewSales, { as }, { params: { id: late }, body: {} });
  expect(confirming.body.message).toBe("该月不在租期内");

  const of = (day: string) => {
    house.setClock(`${day}T08:40:00+08:00`);
    return acting(house, followTurnover);
  };
  expect(await of("2026-04-05")).toBe(1);
  expect(await of("2026-04-10")).toBe(1);
  const guess = (await monthsOf(id)).months[0]!;
  expect(guess).toMatchObject({ no: 3, source: "estimated", state: "submitted" });
  // bands weigh by the days: 24,193.55 at 8 %, as much again at 10 %, the rest of 60,000.00 at 12 %
  house.setClock("2026-04-11T10:00:00+08:00");
  const { preview } = await desk.confirm(await desk.declare(id, 3, 6_000_000));
  expect(preview).toMatchObject({ base: 483_871, topUp: preview.share - 483_871 });
  expect(preview.share).toBe(574_839);
  expect(await of("2026-04-20")).toBe(0);
});
