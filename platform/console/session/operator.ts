import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import type { Day } from "../../kernel/day.ts";
import { askMe } from "./me.ts";
import type { Operator } from "./session.ts";
import { kept } from "./storage.ts";

/** Recovery codes stand on the screen once: an answer that comes by itself must not take them away. */
const unlessHeld = ({ state }: { state: { data: Operator | undefined } }) => !state.data?.mustEnrol;
export const ME = {
  queryKey: ["/user/info"],
  queryFn: askMe,
  staleTime: 60_000,
  refetchOnWindowFocus: unlessHeld,
  refetchOnReconnect: unlessHeld,
};

export const useOperator = (): Operator | undefined => useQuery(ME).data;

/** The same for what cannot be drawn without: it waits until they are known. A form keeps the first values that it was given. */
export const useMe = (): Operator => useSuspenseQuery(ME).data;

/** The business day, YYYY-MM-DD. */
export const useToday = (): Day => useMe().today;

/** Key of something that each operator of this browser keeps for himself: columns, density, page size. */
export const mine = (key: string): string => `${kept<Operator>("userInfo")?.operatorId ?? 0}.${key}`;
