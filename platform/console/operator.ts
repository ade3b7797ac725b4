import { useQuery } from "@tanstack/react-query";
import { sendWire } from "./request.ts";
import type { Operator } from "./session.ts";
import { keep, kept } from "./storage.ts";

export const ME = {
  queryKey: ["/user/info"],
  queryFn: async () => {
    const operator = await sendWire<Operator>({ method: "GET", path: "/user/info" });
    keep("operator", operator);
    return operator;
  },
  staleTime: 60_000,
};

/** The signed-in operator, for pages. */
export const useOperator = (): Operator | undefined => useQuery(ME).data;

/** Key of something that each operator of this browser keeps for himself: columns, density, page size. */
export const mine = (key: string): string => `${kept<Operator>("operator")?.operatorId ?? 0}.${key}`;
