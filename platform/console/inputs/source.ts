import { useQuery } from "@tanstack/react-query";
import type { Option, Source } from "../../kernel/filter.ts";
import { sendWire } from "../calls/request.ts";
import { theHouse } from "../screens/slots.ts";

const listed = (data: unknown): unknown[] =>
  Array.isArray(data) ? data : ((data as { list?: unknown[] } | null)?.list ?? []);

const read = async (
  source: Source,
  query: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Option[]> => {
  const sent = { query: { ...source.query, ...query } };
  return listed(await sendWire(source.call, sent, { signal })).map((row) => source.option(row as never));
};

/** What matches the typed text. */
export const useFound = (source: Source, keyword: string, enabled: boolean) =>
  useQuery({
    queryKey: [source.call.path, "found", source.query ?? {}, keyword],
    queryFn: ({ signal }) => read(source, { keyword, pageSize: 20 }, signal),
    enabled,
    placeholderData: (before) => before,
  });

export const useNamed = (source: Source | undefined, ids: readonly (string | number)[]) =>
  useQuery({
    queryKey: [source?.call.path, "named", ids.join(",")],
    queryFn: ({ signal }) => read(source!, { ids: ids.join(","), pageSize: 200 }, signal),
    enabled: source !== undefined && ids.length > 0,
    staleTime: 300_000,
  });

type Village = { id: number; name: string; districtName?: string | null; pinyin?: string };

/** The villages that the operator may see, as options. */
export const useVillages = () =>
  useQuery({
    queryKey: ["villages"],
    queryFn: async ({ signal }): Promise<Option[]> => {
      const { villages } = theHouse();
      if (!villages) return [];
      const rows = listed(await sendWire(await villages(), {}, { signal })) as Village[];
      return rows.map((v) => ({
        value: v.id,
        label: v.name,
        group: v.districtName ?? undefined,
        search: `${v.name} ${v.pinyin ?? ""}`,
      }));
    },
    staleTime: 300_000,
  });

/** What a chosen village is called that the operator no longer sees: its name is not theirs to know. */
const OUTSIDE = "不在您范围内的门店";

/** The villages to choose from; those chosen that are not among them stand there by what they are, not by a number. */
export function useVillageOptions(chosen: readonly number[] | undefined): {
  options: Option[];
  isLoading: boolean;
} {
  const { data, isLoading } = useVillages();
  if (!data) return { options: [], isLoading };
  const known = new Set(data.map((o) => o.value));
  const outside = (chosen ?? []).filter((id) => !known.has(id)).map((value) => ({ value, label: OUTSIDE }));
  return { options: [...data, ...outside], isLoading };
}
