import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { lastCheck } from "./check.contract.ts";

const EVERY_MS = 1500;

/** The last check of the books, followed while one is going on; what else is on screen follows when it has ended. */
export function useLastCheck() {
  const refresh = useRefresh();
  const last = useQuery({
    ...ask(lastCheck),
    enabled: may(lastCheck.needs),
    refetchInterval: ({ state }) => (state.data?.underway ? EVERY_MS : false),
  });
  const underway = Boolean(last.data?.underway);
  const before = useRef(underway);
  useEffect(() => {
    if (before.current && !underway) void refresh();
    before.current = underway;
  }, [underway, refresh]);
  return last;
}
