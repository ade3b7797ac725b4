import type { Shown } from "../../../platform/console/filter/filter.ts";
import type { QueryKey } from "../../../platform/console/list/list-schema.ts";
import type { listLeads } from "./lead.contract.ts";
import { filterWords, useLeadWords } from "./words.panel.tsx";

/** By what leads are looked for, as a table and as a board alike. */
export function useLeadFilters(): Shown<QueryKey<typeof listLeads>>[] {
  const words = useLeadWords();
  return [
    "villageIds",
    "level",
    "follow",
    "keyword",
    { key: "source", words: filterWords(words.sources.map((s) => [s.code, s.name])) },
    { key: "channel", words: filterWords(words.channels.map((name) => [name, name])) },
    "agentId",
    { key: "ownerId", words: filterWords(words.owners.map((o) => [o.id, o.name])) },
    "nextFrom",
    "createdFrom",
    "budgetFrom",
    "moveInFrom",
    "reached",
    { key: "lostReason", words: filterWords(words.lostReasons.map((name) => [name, name])) },
  ];
}
