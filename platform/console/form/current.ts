import { useQuery, type DefaultError, type QueryKey, type UseQueryOptions } from "@tanstack/react-query";

/**
 * A read a form starts from and whose `version` it sends back: what was read before the form opened is held back, for
 * the last act of the same person may have made it old.
 */
export function useCurrent<T, E = DefaultError, D = T, K extends QueryKey = QueryKey>(
  options: UseQueryOptions<T, E, D, K>,
) {
  const query = useQuery({ ...options, staleTime: 0 });
  return { ...query, data: query.isFetchedAfterMount ? query.data : undefined };
}
