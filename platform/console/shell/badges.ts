import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { LIVE, useFocus } from "../calls/live.ts";
import { ask } from "../calls/request.ts";
import { theHouse } from "../screens/slots.ts";
import { may } from "../session/permits.ts";

type Counts = Readonly<Record<string, number>>;
const KEY = "menu.badges";
const NONE: Counts = {};

/** How many records wait on each screen of the menu, by its path; the page that stands open is read anew when that changes. */
export function useBadges(): Counts {
  const { badges } = theHouse();
  const client = useQueryClient();
  const { data: counts } = useQuery({
    queryKey: [KEY],
    queryFn: async ({ signal }): Promise<Counts> =>
      (await ask(await badges!.call(), {} as never).queryFn({ signal })) as Counts,
    enabled: badges !== undefined && may(badges.need),
    ...LIVE,
  });
  const look = useRef(() => void client.invalidateQueries({ queryKey: [KEY] }, { cancelRefetch: false }));
  useFocus(look.current);
  const now = counts && JSON.stringify(counts);
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (before.current !== undefined && now !== undefined && before.current !== now)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY });
    before.current = now;
  }, [client, now]);
  if (!badges || !counts) return NONE;
  return Object.fromEntries(Object.entries(badges.on).map(([path, of]) => [path, counts[of] ?? 0]));
}
