import { expect, test } from "vitest";
import { headOf } from "../../system/import/import.rules.ts";
import { bringsOf } from "../import/owed.rules.ts";
import { readRow, type Typed } from "../import/row.rules.ts";
import { FIRM_RULES, FIRM_SAMPLES, FIRM_SHEETS } from "./columns.rules.ts";
import { firmReading } from "./firm.rules.ts";

const when = { today: "2026-11-20", takenOn: "2026-11-20" };
const typed: Typed = {
  village: "滨江店",
  room: "101",
  name: "晨光早餐店",
  start: "2026-05-01",
  end: "2028-04-30",
  rent: "8000",
  pay: "押二付一",
  paidTo: "2026-11-30",
  deposit: "28000",
};
const read = (kind: "company" | "merchant", more: Typed = {}) => {
  const { row, wrong } = readRow({ ...typed, ...more }, when, firmReading(kind));
  return { row, wrong: wrong.map(({ key, msg }) => `${key} ${msg}`) };
};

test("a firm is read by its name, with code or certificate as it is kept", () => {
  expect(read("company").row!.tenant).toEqual({ name: "晨光早餐店", phone: "" });
  expect(read("company", { creditCode: "91330108ma27y5wh0x" }).wrong).toEqual([
    "creditCode 统一社会信用代码格式不正确",
  ]);
  const person = read("merchant", { certNo: "11010119900307109x", contactPhone: "0571-88001234" });
  expect(person.row!.tenant).toEqual({
    name: "晨光早餐店",
    phone: "0571-88001234",
    certType: "idCard",
    certNo: "11010119900307109X",
  });
  expect(read("merchant", { certNo: "e1234567", certType: "护照" }).row!.tenant).toMatchObject({
    certType: "passport",
    certNo: "E1234567",
  });
  expect(read("merchant", { certNo: "1", certType: "工牌" }).wrong[0]).toMatch(
    /^certType 证件类型应为：身份证/,
  );
  expect(read("company", { name: "一" }).wrong[0]).toMatch(/^name /);
});

test("a shop opens by its last day, and a company's rooms are billed together unless told otherwise", () => {
  expect(read("merchant", { openOn: "2028-04-30" }).row!.openOn).toBe("2028-04-30");
  expect(read("merchant", { openOn: "2028-05-01" }).wrong).toEqual(["openOn 晚于到期日"]);
  expect(read("merchant").row!.openOn).toBeUndefined();
  expect(read("company", { billing: "按房间账单" }).row!.billPerRoom).toBe(true);
  expect(read("company", { billing: "统一账单" }).row!.billPerRoom).toBe(false);
});

test("a row of a number without a term brings a room where it names a rent, or a room and nothing owed", () => {
  const brings = (row: Typed) => bringsOf({ oldNo: "QY-1", ...row }, true);
  expect(brings({ room: "102", rent: "6000" })).toBe("room");
  expect(brings({ room: "102", rent: "6000", arrears: "5" })).toBe("room");
  expect(brings({ room: "102" })).toBe("room");
  expect(brings({ rent: "6000" })).toBe("room");
  expect(brings({ room: "102", arrears: "5" })).toBe("bill");
  expect(brings({})).toBe("bill");
  expect(brings({ room: "102", rent: "6000", start: "2026-05-01" })).toBe("contract");
  expect(bringsOf({ room: "102", rent: "6000" }, true)).toBe("contract");
  // a tenant's contract has one room
  expect(bringsOf({ oldNo: "LS-1", room: "102", rent: "6000" }, false)).toBe("contract");
  expect(bringsOf({ oldNo: "LS-1", room: "102" }, false)).toBe("bill");
});

test("each sheet has a title and a name of others once, and its samples and rules are its own", () => {
  for (const kind of ["company", "merchant"] as const) {
    const columns = FIRM_SHEETS[kind];
    const names = columns.flatMap((column) => [headOf(column), ...(column.aliases ?? [])]);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    const keys = new Set<string>(columns.map(({ key }) => key));
    expect(
      FIRM_SAMPLES[kind].flatMap((sample) => Object.keys(sample).filter((key) => !keys.has(key))),
    ).toEqual([]);
    const brought = FIRM_SAMPLES[kind].map((sample) =>
      bringsOf(Object.fromEntries(Object.entries(sample).map(([key, cell]) => [key, String(cell)])), true),
    );
    expect(brought).toEqual(["contract", "room", "bill", "contract"]);
  }
  expect(FIRM_RULES.company.some((text) => text.includes("扣点"))).toBe(false);
  expect(FIRM_RULES.merchant.some((text) => text.includes("扣点"))).toBe(true);
});
