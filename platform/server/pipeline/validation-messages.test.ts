import { expect, test } from "vitest";
import { z } from "zod";
import { inChinese, wrongFields } from "./validation-messages.ts";

const schema = z.object({
  ids: z.array(z.number()).max(2),
  name: z.string().max(3).meta({ title: "名称" }),
  day: z
    .string()
    .regex(/^\d{4}$/)
    .meta({ title: "日期" }),
  kind: z.enum(["a", "b"]),
  count: z.number().int().min(1).meta({ title: "数量" }),
  villageId: z.number().positive().meta({ title: "门店" }).optional(),
  part: z.strictObject({}).optional(),
  own: z.string({ error: "请选择门店" }),
});
const said = (body: unknown) =>
  Object.fromEntries(
    wrongFields(schema.safeParse(body, inChinese).error!).map(({ field, msg }) => [field, msg]),
  );

test("what was left out is asked for by its label, or by its name where it has none", () => {
  expect(said({})).toEqual({
    ids: "缺少必填参数 ids",
    name: "请填写名称",
    day: "请填写日期",
    kind: "缺少必填参数 kind",
    count: "请填写数量",
    own: "请选择门店",
  });
});

test("what does not fit says how", () => {
  const wrong = { ids: [1, 2, 3], name: "四个字了", day: "20", kind: "c", count: 0, part: { x: 1 }, own: "" };
  expect(said(wrong)).toEqual({
    ids: "参数 ids 最多 2 项",
    name: "名称最多 3 个字",
    day: "日期格式不正确",
    kind: "参数 kind 不在可选范围内",
    count: "数量不能小于 1",
    part: "不支持的参数 x",
  });
  expect(said({ ...wrong, villageId: 0 })).toMatchObject({ villageId: "门店必须大于 0" });
  expect(said({ ...wrong, count: 1.5, ids: ["a"] })).toMatchObject({
    count: "数量须为整数",
    "ids.0": "参数 ids.0 格式不正确",
  });
});
