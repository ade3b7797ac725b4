import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { BLACK } from "../blacklist/blacklist.rules.ts";
import { CHOICES, type ChoiceKind } from "./choice.rules.ts";
const parties = callsAt("/customer/api/v3/party", "party");
const kinds = Object.keys(CHOICES) as [ChoiceKind, ...ChoiceKind[]];

/** Whoever draws up a contract chooses its party. */
export const SIGNING = ["9.add", "9.edit", "11.add", "11.edit", "107.add", "107.edit"] as const;

/** Who is found: as much as tells two of one name apart. */
const partyOption = z.object({
  id: f.id,
  kind: f.status("类型", CHOICES),
  name: f.person("客户"),
  phone: f.phone("电话"),
  /** Certificate masked, credit code whole. */
  number: f.text("证件或信用代码"),
  stage: f.text("阶段"),
  villages: f.text("门店"),
  black: f.status("黑名单", BLACK),
  arrears: f.money("欠费"),
});

/**
 * The one picker of customers. Whoever may not read a kind's list finds by a whole number alone, and sees the name
 * masked; by an id they see nothing else.
 */
export const partyOptions = parties.get(
  "/options",
  "客户选项",
  ["15.add", "15.edit", ...SIGNING, "16.query", "106.query", "113.query"],
  {
    perMinute: 120,
    query: z.object({
      kind: z.enum(kinds).default("renter"),
      keyword: z.string().trim().max(50).default(""),
      villageId: z.coerce.number().pipe(f.id).optional(),
      /** Just these, of whatever kind: what a form has chosen already. */
      ids: idList,
    }),
    reply: z.object({
      list: z.array(partyOption),
      /** Nobody here, but the enterprise knows the number from another store. */
      known: z.object({ maskedName: z.string() }).nullable(),
    }),
  },
);

/** Only who knows the whole number may bring somebody to another store. */
export const linkByNumber = parties.post(
  "/link",
  "关联客户到门店",
  ["15.add", "15.edit", ...SIGNING, "16.add", "106.add", "113.add"],
  {
    perMinute: 60,
    body: z.object({
      kind: z.enum(kinds),
      keyword: z.string().trim().min(6, "请输入完整号码").max(20, "请输入完整号码"),
      villageId: f.pick("门店"),
    }),
    reply: z.object({ id: f.id }),
  },
);
