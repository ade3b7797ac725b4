import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { merchantWords } from "./merchant.contract.ts";

const NOTHING = { categories: [], tags: [] };

/** Words that forms and filters of merchants offer. */
export const useMerchantWords = () =>
  useQuery({ ...ask(merchantWords, {}), staleTime: 60_000 }).data ?? NOTHING;
