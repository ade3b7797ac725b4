import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useKept } from "../../../platform/console/filter/stored-choice.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { getPreference, putPreference } from "../../system/preference/preference.contract.ts";

/**
 * Something this operator chose, the same in every browser. What this browser knew last stands until the answer comes,
 * so nothing jumps; a choice is shown at once and kept on the server.
 */
export function usePreference<T>(key: string, initial: T): [T, (value: T | undefined) => Promise<void>] {
  const client = useQueryClient();
  const [known, keep] = useKept<T | undefined>(key, undefined);
  const queryKey = ["preference", key];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const { value } = await sendWire<{ value: T | null }>(getPreference, { params: { key } }, { signal });
      keep(value ?? undefined);
      return value;
    },
    staleTime: 300_000,
    retry: false,
  });
  const set = async (value: T | undefined) => {
    client.setQueryData(queryKey, value ?? null);
    keep(value);
    await sendWire(putPreference, { params: { key }, body: { value: value ?? null } });
  };
  return [(data === undefined ? known : data) ?? initial, set];
}
