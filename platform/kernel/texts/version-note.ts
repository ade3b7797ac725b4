import { isBusinessDay } from "../day.ts";
import { freeText } from "./names.ts";
import { all, lengthBetween, required } from "../validators.ts";
import type { Validator } from "../validators.ts";

const text = (max: number, missing: string): Validator =>
  all(required(missing), lengthBetween(1, max, `长度为1到${max}个字`), freeText);

const isInstant = (value: string) =>
  isBusinessDay(value.slice(0, 10)) && /^ ([01]\d|2[0-3])(:[0-5]\d){2}$/.test(value.slice(10));

/** The fields of a version note, each judged on blur and again by the server. */
export const versionNote = {
  releaseTime: all(required("请选择发布时间"), (value) =>
    isInstant(value) ? undefined : "发布时间格式不正确",
  ),
  version: text(64, "请输入版本号"),
  module: text(200, "请输入模块"),
  type: text(64, "请输入类型"),
  content: text(200, "请输入相关内容"),
} satisfies Record<string, Validator>;
