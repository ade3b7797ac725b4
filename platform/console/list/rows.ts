import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { usePage } from "../screens/page.ts";
import { sendWire } from "../calls/request.ts";
import type { ListCall, ListReply } from "./list-schema.ts";

type Query = Record<string, unknown>;

/** When what is shown was read: figures of the filter before stand while new ones are asked for, and are as old as they are. */
export function useAsOf(dataUpdatedAt: number): number {
  const asOf = useRef(0);
  if (dataUpdatedAt) asOf.current = dataUpdatedAt;
  return asOf.current;
}

/** Neither page nor order nor columns change what a filter adds up to. */
const overall = ({ pageNo: _, pageSize: _1, sort: _2, order: _3, also: _4, ...filter }: Query): Query =>
  filter;

/**
 * Rows and, where the call can answer them apart, totals: twenty rows come at once however many match, the count and
 * the sums over all of them when they are ready. While `counting` the totals are none, or those of the filter before;
 * `recount` is there where that failed.
 */
export function useRows<R>(
  call: ListCall,
  params: Record<string, string | number>,
  query: Query,
  apart: boolean,
) {
  const ask = (sent: Query) => ({
    queryKey: [call.path, { params, query: sent }],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      sendWire<ListReply<R>>(call, { params, query: sent }, { signal }),
    placeholderData: keepPreviousData,
  });
  const wanted = ask(apart ? { ...query, want: "rows" } : query);
  const added = { ...ask({ ...overall(query), want: "totals" }), enabled: apart };
  const client = useQueryClient();
  const { active } = usePage();
  // Asked for while the page is still being put together, not after it stands: then its rows are there with it.
  if (active)
    for (const one of apart ? [wanted, added] : [wanted])
      if (!client.getQueryState(one.queryKey)) void client.prefetchQuery(one);
  // by name: a list is drawn anew for what is read of a query, and for all of it where it is spread
  const { data, error, isPending, isPlaceholderData, dataUpdatedAt, refetch } = useQuery(wanted);
  const { data: sums, isPlaceholderData: stale, error: uncounted, refetch: recount } = useQuery(added);
  const asOf = useAsOf(dataUpdatedAt);
  const counted = apart ? { totals: sums, counting: stale || !sums } : { totals: data, counting: !data };
  const failed = uncounted && counted.counting ? recount : undefined;
  return { data, error, isPending, isPlaceholderData, refetch, asOf, ...counted, recount: failed };
}
