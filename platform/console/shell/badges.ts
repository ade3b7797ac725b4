import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { LIVE, useFocus } from "../calls/live.ts";
import { ask } from "../calls/request.ts";
import type { Badges } from "../screens/screen.ts";
import { theHouse } from "../screens/slots.ts";
import { may } from "../session/permits.ts";

type Counts = Readonly<Record<string, number>>;
const KEY = "menu.badges";
const NONE: readonly Badges[] = [];

/** How many records wait on each screen of the menu, by its path; the page that stands open is read anew when that changes. */
export function useBadges(): Counts {
  const { badges = NONE } = theHouse();
  const client = useQueryClient();
  const answers = useQueries({
    queries: badges.map((of, i) => ({
      queryKey: [KEY, i],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Counts> =>
        (await ask(await of.call(), {} as never).queryFn({ signal })) as Counts,
      enabled: may(of.need),
      ...LIVE,
    })),
  });
  const counts = answers.map(({ data }) => data);
  const look = useRef(() => void client.invalidateQueries({ queryKey: [KEY] }, { cancelRefetch: false }));
  useFocus(look.current);
  // nothing has changed while the first answers come in one after the other
  const now = answers.some((a) => a.isLoading) ? undefined : JSON.stringify(counts);
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (before.current !== undefined && now !== undefined && before.current !== now)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY });
    before.current = now;
  }, [client, now]);
  return Object.fromEntries(
    badges.flatMap(({ on }, i) => Object.entries(on).map(([path, of]) => [path, counts[i]?.[of] ?? 0])),
  );
}
