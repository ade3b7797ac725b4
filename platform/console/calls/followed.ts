import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useRefresh } from "./mutation.ts";

const EVERY_MS = 1500;

type Asked<T> = {
  queryKey: readonly unknown[];
  queryFn: (context: { signal: AbortSignal }) => Promise<T>;
  enabled?: boolean;
};

/**
 * A read of work that goes on beside it (`ask(…)`), asked anew while `going` names any of it; what else is on screen follows
 * when one of these has ended.
 */
export function useFollowed<T>(asked: Asked<T>, going: (data: T) => readonly number[]) {
  const refresh = useRefresh();
  const read = useQuery({
    ...asked,
    refetchInterval: ({ state }) => (state.data && going(state.data as T).length ? EVERY_MS : false),
  });
  const now = read.data === undefined ? [] : going(read.data);
  const before = useRef<readonly number[]>([]);
  const key = now.join(",");
  useEffect(() => {
    const ended = before.current.some((id) => !now.includes(id));
    before.current = now;
    if (ended) void refresh();
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  return read;
}
