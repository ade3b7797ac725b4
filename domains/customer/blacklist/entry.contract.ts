import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { BLACK, BLACK_LEVELS } from "./blacklist.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
const blackLists = callsAt("/customer/api/v3/blackList", "party");

/** Puts a customer on the list, by certificate and phone as they are registered. */
export const addBlack = blackLists.post("", "加入黑名单", "170.add", {
  body: z.object({
    partyId: f.id,
    level: f.choice("级别", BLACK_LEVELS),
    reasonKind: f.input("原因", 1, 20, "请选择原因"),
    reason: f.input("说明", 2, 500, "说明长度为2到500个字"),
    /** Left out: until somebody takes them off. */
    expiresOn: f.dayInput("有效至").nullish(),
    fileIds: z.array(f.id).max(9, "凭证最多9个").default([]).meta({ title: "凭证", kind: "file" }),
  }),
  reply: z.object({ id: f.id }),
});

/** What stands on the list against a customer, also where it names them by phone alone. */
export const blackEntries = blackLists.get(
  "/ofParty",
  "客户的黑名单记录",
  ["170.query", "170.add", "#17001"],
  {
    query: z.object({ partyId: z.coerce.number().pipe(f.id) }),
    reply: z.array(
      z.object({
        id: f.id,
        name: f.person("姓名"),
        level: f.status("级别", BLACK),
        reasonKind: f.text("原因"),
        reason: f.text("说明"),
        fromOn: f.day("加入日"),
        expiresOn: f.day("有效至").nullable(),
        creatorName: f.person("加入人"),
        files: z.array(z.object({ id: f.id, name: z.string() })),
        version: f.version,
      }),
    ),
  },
);

export const removeBlack = blackLists.put("/:id/remove", "解除黑名单", "#17001", {
  body: z.object({ partyId: f.id, reason: f.reason("解除原因"), version: f.version }),
  reply: z.null(),
});
