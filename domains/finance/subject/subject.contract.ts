import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import * as f from "../../../platform/kernel/field.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { idList, wordList } from "../../../platform/kernel/paging.ts";
import type { SubjectKind } from "./subject.rules.ts";

export const SUBJECT_KIND: Words<SubjectKind> = {
  income: ["收入", "grey"],
  deposit: ["押金", "grey"],
  earnest: ["定金", "grey"],
  agency: ["代收", "grey"],
  lateFee: ["滞纳金", "grey"],
  cost: ["成本", "grey"],
};

/** The fee subjects of the operator's enterprise, for pickers and filters. */
export const subjectOptions = callsAt("/billing/api/v3/feeSubject/options").get("", "费用科目选项", "login", {
  query: z.object({
    kinds: wordList(Object.keys(SUBJECT_KIND) as [SubjectKind, ...SubjectKind[]]),
    keyword: z.string().trim().max(50).optional(),
    ids: idList,
    pageSize: z.coerce.number().int().optional(),
  }),
  reply: z.array(
    z.object({
      id: f.id,
      code: z.string(),
      name: f.text("费用"),
      kind: f.status("类型", SUBJECT_KIND),
      taxWord: f.text("税率"),
      taxMode: z.enum(["rate", "reduced15", "none"]),
      taxRate: z.string(),
    }),
  ),
});

/** Fee subjects for a filter. */
export const SUBJECTS: Source = {
  call: subjectOptions,
  option: (subject: { id: number; name: string; taxWord: string }) => ({
    value: subject.id,
    label: subject.name,
    note: subject.taxWord,
  }),
};
/** Those that a customer is charged. */
export const CHARGEABLE: Source = { ...SUBJECTS, query: { kinds: "income,agency" } };
