import { useQuery } from "@tanstack/react-query";
import { askMe } from "./me.ts";
import type { Operator } from "./session.ts";
import { kept } from "./storage.ts";

export const ME = { queryKey: ["/user/info"], queryFn: askMe, staleTime: 60_000 };

/** The signed-in operator, for pages. */
export const useOperator = (): Operator | undefined => useQuery(ME).data;

/** Key of something that each operator of this browser keeps for himself: columns, density, page size. */
export const mine = (key: string): string => `${kept<Operator>("operator")?.operatorId ?? 0}.${key}`;
