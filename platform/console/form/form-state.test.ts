import { expect, test } from "vitest";
import { z } from "zod";
import {
  amount,
  checked,
  choice,
  dayInput,
  id,
  ids,
  input,
  reason,
  remark,
  version,
} from "../../kernel/field.ts";
import { contactMobile } from "../../kernel/texts/contact.ts";
import { required } from "../../kernel/validators.ts";
import {
  bodyOf,
  errorsBut,
  errorsFrom,
  errorsOf,
  isDirty,
  isRequired,
  rebased,
  valueAt,
  withValue,
} from "./form-state.ts";

const schema = z.object({
  title: input("名称", 2, 30),
  amount: amount("金额"),
  dueDay: dayInput("应收日").optional(),
  remark: remark().optional(),
  kind: choice("类型", { a: ["甲", "grey"] }).nullish(),
  lines: z.array(z.object({ amount: amount("金额") })).optional(),
  version: version.optional(),
});

test("only what the call knows is sent, empty fields stay at home", () => {
  expect(
    bodyOf(schema, { title: "好的", amount: 1, dueDay: "", remark: "", kind: null, odd: 1, version: 3 }),
  ).toEqual({
    title: "好的",
    amount: 1,
    // an emptied remark is a change, an emptied choice too
    remark: "",
    kind: null,
    version: 3,
  });
});

test("each wrong field has the contract's sentence", () => {
  expect(errorsOf(schema, { title: "a", amount: Number.NaN, lines: [{ amount: 1 }, {}] })).toEqual({
    title: "名称长度为2到30个字",
    amount: "请输入正确的金额（最多两位小数）",
    "lines.1.amount": "请输入金额",
  });
  expect(errorsOf(schema, { title: "好的", amount: 10_000_000_000 })).toEqual({ amount: "金额过大" });
  expect(errorsOf(z.object({ reason: reason() }), {})).toEqual({ reason: "请填写原因（2-200字）" });
});

test("what is empty is asked for at once, in lines and where only the form requires it", () => {
  const some = z
    .object({
      name: input("姓名", 2, 30).optional(),
      roomIds: z.array(z.number()).default([]),
      day: dayInput("入住日"),
      contacts: z.array(z.object({ name: input("姓名", 2, 30), phone: input("电话", 3, 20) })),
    })
    .superRefine((v, ctx) => {
      if (!v.name) ctx.addIssue({ code: "custom", path: ["name"], message: "请输入客户姓名" });
    });
  const musts = { name: "姓名", roomIds: "房间" };
  const typed = { name: "", roomIds: [], contacts: [{ name: "", phone: "1" }] };
  expect(errorsOf(some, typed, musts)).toEqual({
    name: "请输入姓名",
    roomIds: "请选择房间",
    day: "请选择入住日",
    "contacts.0.name": "请输入姓名",
    "contacts.0.phone": "电话长度为3到20个字",
  });
  // once the rest is right, the contract's own sentence stands
  const right = { roomIds: [1], day: "2026-12-01", contacts: [] };
  expect(errorsOf(some, right, musts)).toEqual({ name: "请输入客户姓名" });
});

test("the server's messages land on the same fields, the first of each", () => {
  expect(
    errorsFrom([
      { field: "title", msg: "名称已存在" },
      { field: "title", msg: "后一句" },
      { field: "body.amount", msg: "金额过大" },
    ]),
  ).toEqual({
    title: "名称已存在",
    amount: "金额过大",
  });
});

test("a field that is filled anew is wrong no more, nor what stood in it", () => {
  const errors = {
    fileIds: "请上传凭证",
    "fileIds.0": "文件不存在",
    "lines.1.amount": "请输入金额",
    line: "x",
  };
  expect(errorsBut(errors, "fileIds")).toEqual({ "lines.1.amount": "请输入金额", line: "x" });
  expect(errorsBut(errors, "lines.1.amount")).not.toHaveProperty(["lines.1.amount"]);
});

test("required is what the schema does not take empty", () => {
  expect(isRequired(schema.shape.title)).toBe(true);
  expect(isRequired(schema.shape.remark)).toBe(false);
});

test("a value deep inside is replaced without touching the rest", () => {
  const before = { lines: [{ amount: 1 }, { amount: 2 }] };
  const after = withValue(before, "lines.1.amount", 5);
  expect(after).toEqual({ lines: [{ amount: 1 }, { amount: 5 }] });
  expect(Array.isArray(after.lines)).toBe(true);
  expect(before.lines[1]?.amount).toBe(2);
  expect(valueAt(after, "lines.1.amount")).toBe(5);
});

test("empty and missing are the same to the question about unsaved work", () => {
  expect(isDirty({ title: "" }, {})).toBe(false);
  expect(isDirty({ title: "x" }, {})).toBe(true);
  expect(isDirty({ title: "x", remark: null }, { title: "x" })).toBe(false);
});

test("an empty field is told what is wanted of it, in its own words", () => {
  const form = z.object({
    name: checked("名称", required("请输入公共区域名称")),
    mobile: checked("手机", contactMobile),
    kind: input("类型", 1, 20, "请选择类型"),
    title: input("标题", 2, 30),
  });
  expect(errorsOf(form, {})).toEqual({
    name: "请输入公共区域名称",
    mobile: "请输入手机",
    kind: "请选择类型",
    title: "请输入标题",
  });
});

test("a list that is not there is told as one that is empty; no rule speaks English", () => {
  const form = z.object({
    fileIds: z.array(id).min(1, "请上传附件").max(9).meta({ title: "附件", kind: "file" }),
    villageIds: ids().min(1, "请选择适用门店").meta({ title: "适用门店", kind: "link" }),
    tags: z.array(z.string()).meta({ title: "标签" }),
    open: z.boolean().meta({ title: "对外" }),
    days: z.number().int().meta({ title: "天数" }),
  });
  expect(errorsOf(form, { days: 1.5 })).toEqual({
    fileIds: "请上传附件",
    villageIds: "请选择适用门店",
    tags: "请选择标签",
    open: "请输入对外",
    days: "天数格式不正确",
  });
  // what the form alone requires of files
  const paid = z.object({
    fileIds: z.array(id).default([]).meta({ title: "凭证", kind: "file" }),
    name: z.string(),
  });
  expect(errorsOf(paid, { fileIds: [] }, { fileIds: "凭证" })).toMatchObject({ fileIds: "请上传凭证" });
});

test("a record that was changed meanwhile is taken over under what was typed", () => {
  const start = { name: "滨江店", phone: "0571-1", address: "", tags: ["a"], version: 3 };
  const typed = { ...start, name: "滨江旗舰店", address: "江南大道" };
  const now = { name: "滨江一店", phone: "0571-2", address: null, tags: ["a"], version: 4 };
  expect(rebased(typed, start, now)).toEqual({
    values: { name: "滨江旗舰店", phone: "0571-2", address: "江南大道", tags: ["a"], version: 4 },
    theirs: ["name", "phone"],
    both: ["name"],
  });
  // the same word typed twice is nobody's loss
  expect(rebased({ ...start, name: "滨江一店" }, start, now).theirs).toEqual(["phone"]);
});
