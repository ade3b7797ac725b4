import { expect, test } from "vitest";
import { TEXTS } from "../../checks/specification/texts.ts";
import { versionNote } from "./version-note.ts";

test("every field of a version note is required", () => {
  expect(versionNote.releaseTime("")).toBe(TEXTS["version.releaseTime.required"][0]);
  expect(versionNote.version(" ")).toBe(TEXTS["version.version.required"][0]);
  expect(versionNote.content("")).toBe(TEXTS["version.content.required"][0]);
  expect(versionNote.module("")).toBe("请输入模块");
  expect(versionNote.type("")).toBe("请输入类型");
});

test("each has its length", () => {
  expect(versionNote.version("v7.0.1")).toBeUndefined();
  expect(versionNote.version("v".repeat(64))).toBeUndefined();
  expect(versionNote.version("v".repeat(65))).toBe(TEXTS["version.version.length"][0]);
  expect(versionNote.type("型".repeat(65))).toBe("长度为1到64个字");
  expect(versionNote.module("模".repeat(200))).toBeUndefined();
  expect(versionNote.module("模".repeat(201))).toBe("长度为1到200个字");
  expect(versionNote.content("内".repeat(201))).toBe("长度为1到200个字");
});

test("each is looked at for special characters", () => {
  for (const field of ["version", "module", "type", "content"] as const) {
    expect(versionNote[field]("@a")).toBe("不能以特殊字符开头");
    expect(versionNote[field]("a<b")).toBe("不能包含 < > \\ ^ ` 等符号");
  }
  expect(versionNote.content("修复：账单导出时，金额列为空的问题。")).toBeUndefined();
});

test("the release time is a real moment", () => {
  expect(versionNote.releaseTime("2026-11-20 09:05:07")).toBeUndefined();
  for (const value of ["2026-11-20", "2026-02-30 09:05:07", "2026-11-20 24:00:00", "2026-11-20T09:05:07"])
    expect(versionNote.releaseTime(value)).toBe("发布时间格式不正确");
});
