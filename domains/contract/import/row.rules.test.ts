import { expect, test } from "vitest";
import { idCheckDigit } from "../../../platform/kernel/texts/certificate.ts";
import { readRow, type Typed } from "./row.rules.ts";

const WHEN = { today: "2026-11-20", takenOn: "2026-11-10" };
const typed: Typed = {
  village: "滨江店",
  room: "1203",
  name: "张雅婷",
  phone: "13812345678",
  start: "2026-05-15",
  end: "2027-05-14",
  rent: "3,000",
  pay: "押一付三",
  paidTo: "2026-11-14",
  deposit: "3000",
};
const read = (more: Typed = {}, when = WHEN) => readRow({ ...typed, ...more }, when);
/** What is wrong, by column; a key given as undefined is an empty cell. */
const wrong = (more: { [K in keyof Typed]?: string | undefined } = {}) => {
  const left = Object.entries({ ...typed, ...more }).filter(([, text]) => text !== undefined);
  const { row, wrong: found } = readRow(Object.fromEntries(left) as Typed, WHEN);
  expect(row === undefined).toBe(found.length > 0);
  return found.map(({ key, msg }) => `${key} ${msg}`);
};
/** An identity card of somebody born on a day, with its check digit. */
const cardOf = (born: string) => {
  const body = `110101${born.replaceAll("-", "")}001`;
  return body + idCheckDigit(body);
};

test("a row is read whole; what is left out is the village's or follows from the rest", () => {
  expect(read()).toEqual({
    wrong: [],
    row: {
      village: "滨江店",
      room: "1203",
      tenant: { name: "张雅婷", phone: "13812345678" },
      start: "2026-05-15",
      end: "2027-05-14",
      signedOn: "2026-05-15",
      rent: 300_000,
      pay: { cycleMonths: 3, depositMonths: "1" },
      property: 0,
      basis: undefined,
      calendarPeriods: undefined,
      due: undefined,
      paidTo: "2026-11-14",
      deposit: 300_000,
      owed: undefined,
      prepaid: 0,
      oldNo: "",
      remark: "",
    },
  });
  const full = read({
    signedOn: "2026-05-01",
    property: "150",
    basis: "每月30天",
    periods: "按自然月",
    due: "每月5日",
    arrears: "500",
    arrearsDue: "2026-11-01",
    prepaid: "20",
    oldNo: "LS-7",
    remark: "老租客",
  });
  expect(full.row).toMatchObject({
    signedOn: "2026-05-01",
    property: 15_000,
    basis: "30",
    calendarPeriods: true,
    due: { rule: "fixedDay", dueDay: 5 },
    owed: { amount: 50_000, paid: 0, due: "2026-11-01", subject: "", from: null, to: null },
    prepaid: 2000,
    oldNo: "LS-7",
    remark: "老租客",
  });
});

test("a cell that is missing or cannot be read is told under its column", () => {
  expect(wrong({ rent: undefined })).toEqual(["rent 请填写月租金"]);
  expect(wrong({ pay: undefined })).toEqual(["pay 请填写付款方式"]);
  expect(wrong({ deposit: undefined })).toEqual(["deposit 请填写在管押金"]);
  expect(wrong({ name: undefined })).toEqual(["name 请填写租客"]);
  expect(wrong({ phone: undefined })).toEqual(["phone 请填写手机"]);
  expect(wrong({ start: undefined })).toEqual(["start 请填写起租日"]);
  expect(wrong({ end: undefined })).toEqual(["end 请填写到期日"]);
  expect(wrong({ prepaid: "三百" })).toEqual(["prepaid 金额格式不正确，最多两位小数"]);
  expect(wrong({ basis: "随便" })).toHaveLength(1);
  expect(wrong({ basis: "随便" })[0]).toMatch(/^basis .*按实际天数/);
});

test("days must follow one another", () => {
  expect(wrong({ end: "2026-05-14" })).toEqual(["end 早于起租日"]);
  expect(wrong({ end: "2026-11-09" })).toEqual([
    "end 早于接管日 2026-11-10，已到期的合同请先续签",
    "paidTo 晚于到期日",
  ]);
  expect(wrong({ end: "2026-11-10", paidTo: "2026-11-10" })).toEqual([]);
  expect(wrong({ end: "2046-05-14" })).toEqual([]);
  expect(wrong({ end: "2046-05-15" })).toEqual(["end 租赁期限不得超过二十年"]);
  expect(wrong({ signedOn: "2026-11-20" })).toEqual([]);
  expect(wrong({ signedOn: "2026-11-21" })).toEqual(["signedOn 签约日不能晚于今天"]);
  expect(wrong({ paidTo: "2026-05-14" })).toEqual([]);
  expect(wrong({ paidTo: "2026-05-13" })).toEqual(["paidTo 早于起租日"]);
  expect(wrong({ paidTo: "2027-05-14" })).toEqual([]);
  expect(wrong({ paidTo: "2027-05-15" })).toEqual(["paidTo 晚于到期日"]);
  const day = { start: "2026-11-10", end: "2026-11-10", paidTo: "2026-11-10" };
  expect(wrong(day)).toEqual([]);
  expect(wrong({ ...day, paidTo: "2026-11-11" })).toEqual(["paidTo 晚于到期日"]);
});

test("who starts by the day of the take-over says what is paid; who starts later has paid nothing and has signed", () => {
  expect(wrong({ start: "2026-11-10", paidTo: undefined })).toEqual(["paidTo 请填写已付至"]);
  expect(wrong({ start: "2026-11-11", paidTo: undefined })).toEqual([]);
  const { paidTo: _, ...unpaid } = typed;
  const later = readRow({ ...unpaid, start: "2026-11-11" }, WHEN).row!;
  expect([later.paidTo, later.signedOn]).toEqual(["2026-11-10", "2026-11-10"]);
});

test("a day when arrears were due is given with arrears alone", () => {
  expect(wrong({ arrearsDue: "2026-11-01" })).toEqual(["arrearsDue 没有欠费时不填"]);
  expect(wrong({ arrearsDue: "2026-11-01", arrears: "0" })).toEqual(["arrearsDue 没有欠费时不填"]);
  expect(wrong({ arrearsDue: "2026-11-01", arrears: "0.01" })).toEqual([]);
});

test("numbers and remarks have their length", () => {
  expect(wrong({ oldNo: "L".repeat(40), remark: "备".repeat(500) })).toEqual([]);
  expect(wrong({ oldNo: "L".repeat(41) })).toEqual(["oldNo 合同号最多40个字"]);
  expect(wrong({ remark: "备".repeat(501) })).toEqual(["remark 备注最多500个字"]);
});

test("a tenant is judged like in the tenants' own form, each sentence once under its column", () => {
  const card = cardOf("1990-03-07");
  expect(read({ certNo: card.toLowerCase() }).row?.tenant).toEqual({
    name: "张雅婷",
    phone: "13812345678",
    certType: "idCard",
    certNo: card,
  });
  expect(read({ certType: "护照", certNo: "E12345678" }).row?.tenant.certType).toBe("passport");
  expect(wrong({ certType: "图书证" })[0]).toMatch(/^certType 证件类型应为：身份证、/);
  expect(wrong({ certType: "图书证" })).toHaveLength(1);
  expect(wrong({ name: "张", phone: "123" }).map((text) => text.split(" ")[0])).toEqual(["name", "phone"]);
  expect(wrong({ certNo: "123" }).map((text) => text.split(" ")[0])).toEqual(["certNo"]);
  expect(wrong({ certType: "身份证" }).map((text) => text.split(" ")[0])).toEqual(["certNo"]);
});

test("somebody under 18 today is no tenant yet; of 18 today he is", () => {
  expect(wrong({ certNo: cardOf("2008-11-20") })).toEqual([]);
  expect(wrong({ certNo: cardOf("2008-11-21") })).toEqual([
    "certNo 未满18周岁，请先在租客管理登记租客及监护人，再以手机加姓名导入",
  ]);
  // the number of another paper holds no birthday
  expect(wrong({ certType: "其他", certNo: cardOf("2008-11-21") })).toEqual([]);
});
