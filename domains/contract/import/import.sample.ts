import { randomUUID } from "node:crypto";
import { aBook, type Typed } from "../../../platform/server/sheets/book.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { bookBalance } from "../../finance/bill/bill.sample.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { headOf, type ImportColumn } from "../../system/import/import.rules.ts";
import { sendFile } from "../../system/import/import.sample.ts";
import { aShop } from "../contract/contract.sample.ts";
import { COLUMNS, type ColumnKey } from "./columns.rules.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { dryRunContractImport, OPENINGS } from "./import.contract.ts";

export type SampleRow = Partial<Record<ColumnKey, Typed>>;

/** 3,000.00 a month since 15 May, paid to the end of November, with deposit, arrears and prepaid money. */
export const aRow = (more: SampleRow = {}): SampleRow => ({
  village: "滨江店",
  room: "1203",
  name: "张雅婷",
  phone: "13812345678",
  start: "2026-05-15",
  end: "2027-05-14",
  rent: 3000,
  pay: "押一付一",
  paidTo: "2026-11-30",
  deposit: 3000,
  arrears: 500,
  prepaid: 250,
  oldNo: `LS-${randomUUID().slice(0, 8)}`,
  ...more,
});

/** A workbook as people save it, rows from line 2 on. */
export const aSheet = (rows: readonly SampleRow[], columns: readonly ImportColumn<ColumnKey>[] = COLUMNS) =>
  aBook("在租合同", [columns.map(headOf), ...rows.map((row) => columns.map(({ key }) => row[key]))]);

/** Sends a file to be checked, as the console does. */
export const dryRun = (house: TestHouse, as: Person, bytes: Buffer, takenOn = "2026-11-20") =>
  sendFile(house, as, dryRunContractImport, bytes, { takenOn }, "在租合同.xlsx");

export type Importer = Awaited<ReturnType<typeof anImporter>>;

/** A store on the day of its take-over, and a clerk who brings its contracts of a kind. */
export async function anImporter(
  house: TestHouse,
  kind: keyof typeof OPENINGS = "renter",
  columns: readonly ImportColumn<ColumnKey>[] = COLUMNS,
) {
  const { calls, things } = OPENINGS[kind];
  const { code } = KINDS[kind];
  house.setClock("2026-11-20T09:15:00+08:00");
  const shop = await aShop(house);
  const ofKind = [`${code}.import`, `${code}.query`, `${code}.get`, `#${code}02`];
  const permits = [...ofKind, "26.get", "114.query"];
  const clerk = await house.person({ permits, villages: [shop.villageId] });
  return {
    shop,
    clerk,
    sent: async (...rows: SampleRow[]) => {
      const book = await aSheet(rows, columns);
      return sendFile(house, clerk, calls.check, book, { takenOn: "2026-11-20" }, `${things}.xlsx`);
    },
    commit: (id: number, key: string = randomUUID(), as = clerk) =>
      house.ask(calls.commit, { as, key }, { body: { id } }),
    undo: (id: number, as = clerk) => house.ask(calls.undo, { as, key: randomUUID() }, { body: { id } }),
    batchOf: (id: number) => house.did(calls.get, { as: clerk }, { params: { id } }),
    /** The contracts of a batch. */
    brought: async (id: number) => {
      const { db } = house.database;
      const rows = await db
        .selectFrom("contract")
        .selectAll()
        .where("importId", "=", id)
        .orderBy("id")
        .execute();
      return rows.map((c) => ({ ...c, id: c.id, partyId: c.partyId! }));
    },
    ledger: async () => (await acting(house, (act) => checkLedger(act, "manual"))).breaks,
    balances: () =>
      Promise.all(["1122", "2241", "2203", "3999"].map((a) => bookBalance(house, a, shop.villageId))),
  };
}
