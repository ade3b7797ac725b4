import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { roomLabel } from "../../../platform/kernel/names.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";

const BASE = "/report/api/v3/owing";
const found = z.object({
  keyword: z.string().trim().max(50).optional(),
  ids: idList,
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
});
const named = z.array(z.object({ id: f.id, name: z.string(), note: z.string().nullable() }));

export const owingParties = call({
  method: "GET",
  path: `${BASE}/parties`,
  summary: "欠费报表的客户选项",
  needs: "114.query",
  query: found,
  reply: named,
});

export const owingSubjects = call({
  method: "GET",
  path: `${BASE}/subjects`,
  summary: "欠费报表的费用科目选项",
  needs: "114.query",
  query: found,
  reply: named,
});

const option = (row: { id: number; name: string; note: string | null }) => ({
  value: row.id,
  label: row.name,
  note: row.note ?? undefined,
});
export const PARTIES: Source = { call: owingParties, option };
export const SUBJECTS: Source = { call: owingSubjects, option };
export const ROOMS: Source = {
  call: roomOptions,
  option: (row: { id: number; fullName: string }) => ({ value: row.id, label: roomLabel(row.fullName) }),
};
