import { expect, test } from "vitest";
import { CONSTANTS, TEXTS } from "../../checks/specification/texts.ts";
import {
  ROOM_NAME_MAX,
  companyName,
  freeText,
  nameOf,
  noSpecialCharacters,
  roomBeside,
  roomName,
  roomNames,
  roomNamesOf,
} from "./names.ts";

const villageName = nameOf("门店名称");

test("names of villages and products", () => {
  for (const value of ["滨江店", "滨江店(二期)", "A座 1-2", "滨江（南）"])
    expect(villageName(value), value).toBeUndefined();
  for (const value of ["", "   "]) expect(villageName(value)).toBe(TEXTS.nonEmpty[0]);
  for (const value of ["店", "店".repeat(31)]) expect(villageName(value)).toBe("门店名称长度为2到30个字");
  for (const value of ["滨江@店", "滨江<b>", "滨江#店", "滨江店!", "滨江，店", "滨江😀", "滨江\n店"])
    expect(villageName(value), value).toBe("名称不能包含特殊字符");
  for (const value of ["1203", "１２０３"]) expect(villageName(value)).toBe("名称不能为纯数字");
});

test("a company's name has 2 to 30 characters and no outer spaces", () => {
  for (const value of ["杭州滨江物业（集团）有限公司", "字".repeat(30)])
    expect(companyName(value)).toBeUndefined();
  for (const value of [" 滨江物业", "滨江物业 "])
    expect(companyName(value)).toBe("企业名称不能以空格开头或结尾");
  for (const value of ["字", "字".repeat(31)]) expect(companyName(value)).toBe("企业名称长度为2到30个字");
  expect(companyName("滨江物业$")).toBe("名称不能包含特殊字符");
  expect(companyName("")).toBe("输入不能位全空");
});

test("a room's name may be pure digits and has at most 18 characters", () => {
  expect(String(ROOM_NAME_MAX)).toBe(CONSTANTS["roomName.max"][0]);
  for (const value of ["1203", "A", "主卧-1", "字".repeat(18)]) expect(roomName(value)).toBeUndefined();
  expect(roomName("字".repeat(19))).toBe("房间名最多18个字符");
  expect(roomName(" ")).toBe("输入不能位全空");
  expect(roomName("主卧*")).toBe("名称不能包含特殊字符");
});

test("room names stand in a list with commas of either width", () => {
  expect(roomNamesOf("A，B, C")).toEqual(["A", "B", "C"]);
  expect(roomNames("A，B,C")).toBeUndefined();
  for (const value of ["", "A,,B", "A,", "，A", "A, ,B"])
    expect(roomNames(value), value).toBe("房间名不能为空项");
  expect(roomNames("A,B, A")).toBe("房间名重复：A");
  expect(roomNames(`A,${"字".repeat(19)}`)).toBe("房间名最多18个字符");
});

test("a room beside its store does not say the store again", () => {
  expect(roomBeside("滨江店", "滨江店·3栋·1203")).toBe("3栋·1203");
  // the rooms of this store begin with its short name
  expect(roomBeside("青禾公寓滨江店", "滨江店·3栋·1203-A")).toBe("3栋·1203-A");
  expect(roomBeside("星河·滨江店", "星河·滨江店·3栋·1203")).toBe("3栋·1203");
  expect(roomBeside("滨江店", "滨江店·3栋·1203、滨江店·3栋·1204")).toBe("3栋·1203、3栋·1204");
  for (const none of [null, ""]) expect(roomBeside("滨江店", none)).toBe("—");
});

test("free text begins plainly and carries no markup", () => {
  for (const value of ["", "租客反映水压低，已报修。", "3楼：灯不亮（2处）", "a&b 50%", "第一行\n（第二行）"])
    expect(freeText(value), value).toBeUndefined();
  for (const value of ["@张三", "，先看房", " 空格开头", "<b>", "（急）"])
    expect(freeText(value), value).toBe("不能以特殊字符开头");
  for (const value of ["a<b", "a>b", "a\\b", "a^b", "a`b"])
    expect(freeText(value), value).toBe("不能包含 < > \\ ^ ` 等符号");
});

test("special characters alone", () => {
  expect(noSpecialCharacters("")).toBeUndefined();
  expect(noSpecialCharacters("a;b")).toBe("名称不能包含特殊字符");
});
