import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { companyWords } from "./company.contract.ts";

const NOTHING = { industries: [], scales: [], tags: [], owners: [] };

/** Words and people that forms and filters of companies offer. */
export const useCompanyWords = () =>
  useQuery({ ...ask(companyWords, {}), staleTime: 60_000 }).data ?? NOTHING;
