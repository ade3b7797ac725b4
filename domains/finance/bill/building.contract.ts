import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { roomLabel } from "../../../platform/kernel/names.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";

/** For the filters of lists of bills and of contracts: buildings in scope, by store and place. */
export const buildingOptions = call({
  method: "GET",
  path: "/billing/api/v3/building/options",
  summary: "楼栋选项",
  needs: ["26.query", "9.query"],
  query: z.object({
    villageIds: idList,
    ids: idList,
    keyword: z.string().trim().max(50).optional(),
    pageSize: z.coerce.number().int().min(1).max(200).default(50),
  }),
  reply: z.array(z.object({ id: f.id, name: f.text("楼栋"), villageId: f.id, villageName: f.text("门店") })),
});

export const BUILDINGS: Source = {
  call: buildingOptions,
  option: (b: { id: number; name: string; villageName: string }) => ({
    value: b.id,
    label: b.name,
    note: b.villageName,
  }),
};

/** Rooms of one store or of all, by what is typed. */
export const ROOMS: Source = {
  call: roomOptions,
  query: { limit: 20 },
  option: (r: { id: number; fullName: string }) => ({ value: r.id, label: roomLabel(r.fullName) }),
};
