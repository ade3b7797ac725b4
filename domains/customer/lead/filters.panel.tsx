import type { Filter } from "../../../platform/console/filter/filter.ts";
import type { QueryKey } from "../../../platform/console/list/list-schema.ts";
import { AGENTS } from "../agent/select.form.tsx";
import type { listLeads } from "./lead.contract.ts";
import { LEVELS, STEP_TITLES, STEPS } from "./lead.rules.ts";
import { filterWords, useLeadWords } from "./words.panel.tsx";

const DUE = { due: ["今日待跟进", "orange"] } as const;

/** By what leads are looked for, as a table and as a board alike. */
export function useLeadFilters(): Filter<QueryKey<typeof listLeads>>[] {
  const words = useLeadWords();
  return [
    { kind: "village", key: "villageIds" },
    { kind: "choice", key: "level", title: "级别", words: LEVELS, many: true },
    { kind: "choice", key: "follow", title: "跟进", words: DUE },
    { kind: "keyword", key: "keyword", title: "编号、姓名、手机号" },
    {
      kind: "choice",
      key: "source",
      title: "来源",
      words: filterWords(words.sources.map((s) => [s.code, s.name])),
    },
    {
      kind: "choice",
      key: "channel",
      title: "渠道",
      words: filterWords(words.channels.map((name) => [name, name])),
    },
    { kind: "record", key: "agentId", title: "经纪人", source: AGENTS },
    {
      kind: "choice",
      key: "ownerId",
      title: "负责人",
      words: filterWords(words.owners.map((o) => [o.id, o.name])),
    },
    { kind: "days", from: "nextFrom", to: "nextTo", title: "下次跟进" },
    { kind: "days", from: "createdFrom", to: "createdTo", title: "登记时间" },
    { kind: "money", from: "budgetFrom", to: "budgetTo", title: "预算" },
    { kind: "days", from: "moveInFrom", to: "moveInTo", title: "入住日" },
    {
      kind: "choice",
      key: "reached",
      title: "到过",
      words: filterWords(STEPS.map((step) => [step, STEP_TITLES[step]])),
    },
    {
      kind: "choice",
      key: "lostReason",
      title: "流失原因",
      words: filterWords(words.lostReasons.map((name) => [name, name])),
    },
  ];
}
