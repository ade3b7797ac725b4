import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { type Day, dayInZone, untilNextDay } from "../../kernel/day.ts";
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
  // a console that stays open overnight goes on with the next day
  refetchInterval: (query: Parameters<typeof unlessHeld>[0]) => unlessHeld(query) && untilNextDay(new Date()),
};

export const useOperator = (): Operator | undefined => useQuery(ME).data;

/** The same for what cannot be drawn without: it waits until they are known. A form keeps the first values that it was given. */
export const useMe = (): Operator => useSuspenseQuery(ME).data;

/** The business day, YYYY-MM-DD: the server's, whatever the clock of the workstation says. */
export const useToday = (): Day => useMe().today;

/** The same at the moment it is asked, for what is not drawn anew: the first values of a form, a press of a button. */
export const today = (): Day => kept<Operator>("userInfo")?.today ?? dayInZone(new Date());

/** Key of something that each operator of this browser keeps for himself: columns, density, page size. */
export const mine = (key: string): string => `${kept<Operator>("userInfo")?.operatorId ?? 0}.${key}`;
