import type { z } from "zod";
import { yuan } from "../fen.ts";
import { metaOf } from "../field.ts";

type Shape = Record<string, z.ZodType>;
export type Change = { field: string; title: string; from: string; to: string };
export type Changes = {
  lines: Change[];
  summary: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
};

const shown = (value: unknown, schema: z.ZodType): string => {
  const { words, kind } = metaOf(schema) ?? {};
  if (value === null || value === undefined || value === "") return "空";
  if (Array.isArray(value)) return value.length ? value.join("、") : "空";
  if (kind === "money" && typeof value === "number") return yuan(value);
  if (typeof value === "boolean") return value ? "是" : "否";
  return words?.[String(value)]?.[0] ?? String(value);
};

/** Decimals come back from the database as text: 89.50 is the 89.5 that was typed. */
const same = (a: unknown, b: unknown, schema: z.ZodType): boolean =>
  metaOf(schema)?.kind === "number" && a != null && b != null
    ? Number(a) === Number(b)
    : shown(a, schema) === shown(b, schema);

/**
 * What an edit changed, as the business log tells it: 电话：0571-88886666 → 0571-88887777；… Only fields that the shape
 * labels count; nothing when all stayed.
 */
export function changesOf(
  shape: Shape,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Changes | undefined {
  const keys = Object.keys(shape).filter(
    (key) =>
      key in after &&
      key !== "version" &&
      metaOf(shape[key]!)?.title &&
      !same(before[key], after[key], shape[key]!),
  );
  if (!keys.length) return undefined;
  const pick = (row: Record<string, unknown>) => Object.fromEntries(keys.map((k) => [k, row[k] ?? null]));
  const lines = keys.map((field) => {
    const schema = shape[field]!;
    const title = metaOf(schema)!.title;
    return { field, title, from: shown(before[field], schema), to: shown(after[field], schema) };
  });
  const summary = lines.map((l) => `${l.title}：${l.from} → ${l.to}`).join("；");
  return { lines, summary, before: pick(before), after: pick(after) };
}
