import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Call, Reply } from "../../kernel/call.ts";
import { ask, type Sending } from "../calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "./states.tsx";

type Props<C extends Call> = {
  call: C;
  sent: Sending<C>[0];
  /** Lines of the skeleton. */
  lines?: number;
  /** Instead of a list with nothing in it. */
  empty?: ReactNode;
  /** Goes on showing what is known where asking anew did not work. */
  keeps?: boolean;
  children: (data: Reply<C>) => ReactNode;
};

/** What a call answers: a skeleton before it is there, and a way to ask again where it cannot be had. */
export function Loaded<C extends Call>({ call, sent, lines = 4, empty, keeps, children }: Props<C>) {
  const { data, error, refetch } = useQuery(ask(call, ...([sent] as Sending<C>)));
  if (error && !(keeps && data)) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={lines} />;
  if (empty !== undefined && Array.isArray(data) && !data.length) return <Empty text={empty} />;
  return children(data);
}

type Versioned = { id: number; version: number };

/**
 * A record as it was read when a form over it was opened, and as it is once it is read anew: where a colleague was quicker, the form
 * takes what is theirs and goes on.
 */
export function Current<R extends Versioned>({
  call,
  read,
  children,
}: {
  call: Call;
  read: R;
  children: (record: R) => ReactNode;
}) {
  const { data } = useQuery({
    ...ask(call, ...([{ params: { id: read.id } }] as unknown as Sending<Call>)),
    initialData: read as never,
    staleTime: Infinity,
  });
  const now = data as R;
  return children(now.version > read.version ? now : read);
}
