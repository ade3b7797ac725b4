import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import type { Patch } from "../../../platform/console/screens/page.ts";
import type { Call, Reply } from "../../../platform/kernel/call.ts";

/** What a list draws from its own query, and how a click filters it. */
export type Picturing = { query: Record<string, unknown>; filter: (patch: Patch) => void };

/** The picture over a list of customers: of the villages that it is filtered by. */
export function Picture<C extends Call>({
  call,
  query,
  children,
}: {
  call: C;
  query: Record<string, unknown>;
  children: (data: Reply<C>) => ReactNode;
}) {
  const { villageIds } = query as { villageIds?: string };
  const { data, error, refetch } = useQuery(
    ask(call as Call, { query: { ...(villageIds && { villageIds }) } } as never),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  return <div className="picture">{children(data as Reply<C>)}</div>;
}
