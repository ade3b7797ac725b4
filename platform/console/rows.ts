import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { sendWire } from "./request.ts";
import type { ListCall, ListReply } from "./schema.ts";

type Query = Record<string, unknown>;

/** Neither page nor order nor columns change what a filter adds up to. */
const overall = ({ pageNo: _, pageSize: _1, sort: _2, order: _3, also: _4, ...filter }: Query): Query =>
  filter;

/**
 * Rows and, where the call can answer them apart, totals: twenty rows come at once however many match, the count and
 * the sums over all of them when they are ready.
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
  const rows = useQuery(ask(apart ? { ...query, want: "rows" } : query));
  const sums = useQuery({ ...ask({ ...overall(query), want: "totals" }), enabled: apart });
  return { ...rows, totals: apart ? sums.data : rows.data };
}
