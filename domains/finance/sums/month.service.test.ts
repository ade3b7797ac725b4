import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aLine, aParty, aStore, type Store } from "../bill/bill.sample.ts";
import { foldSums } from "./sums.service.ts";

const house = await testHouse();
const { pool, db } = house.database;

/** Rent and the like, each charged for its own days. */
const charged = (subject: string, amount: number, from: string, to: string) =>
  aLine(subject, amount, { slices: [{ from, to, amount }] });
const MARCH = ["2026-03-01", "2026-03-31"] as const;

test("March of two stores: 12,200.00 charged in A earns 7,790.32 and leaves 4,409.68; B earns 12,200.00, all it has", async () => {
  house.setClock("2026-03-25T10:00:00+08:00");
  const [a, b] = [await aStore(house), await aStore(house)];
  const partyId = await aParty(house);
  const bill = (store: Store, ...lines: ReturnType<typeof aLine>[]) =>
    aBill(house, store, partyId, { dueDate: "2026-03-25", lines });
  await bill(a, charged("rent", 280_000, ...MARCH));
  await bill(a, charged("rent", 280_000, "2026-04-01", "2026-04-30"));
  await bill(a, charged("rent", 150_000, ...MARCH));
  await bill(
    a,
    aLine("deposit", 300_000, { slices: [] }),
    charged("rent", 300_000, "2026-03-10", "2026-04-09"),
    charged("property", 10_000, "2026-03-10", "2026-04-09"),
  );
  await bill(a, charged("rent", 200_000, "2026-03-12", "2026-04-11"));
  await bill(b, charged("rent", 1_000_000, ...MARCH));
  await bill(b, charged("rent", 310_000, ...MARCH), {
    ...charged("rent", -110_000, ...MARCH),
    kind: "adjust",
    reason: "3月20日退房",
  });
  await bill(b, aLine("electric", 12_050, { slices: [] }), aLine("damage", 20_000, { slices: [] }));
  await foldSums(db);
  const earned = async ({ villageId }: Store, month: string) =>
    (
      await pool.query<{ fen: number }>(
        `select coalesce(sum(fen), 0)::bigint fen from income_day
         where village_id = $1 and to_char(day, 'YYYY-MM') = $2`,
        [villageId, month],
      )
    ).rows[0]!.fen;
  expect(await earned(a, "2026-03")).toBe(779_032);
  expect(await earned(a, "2026-04")).toBe(440_968);
  expect(await earned(b, "2026-03")).toBe(1_220_000);
  expect(await earned(b, "2026-04")).toBe(0);
});
