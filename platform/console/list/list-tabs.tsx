import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Call } from "../../kernel/call.ts";
import type { Patch } from "../screens/page.ts";
import { sendWire } from "../calls/request.ts";
import { shapeOf } from "./list-schema.ts";
import { Underline } from "../parts/underline.tsx";

export type TabsOf = {
  /** Key of the call's query that the tab sets. */
  key: string;
  /** The first is the default; an empty key sends nothing. */
  items: readonly { key: string; title: string }[];
  /** Answers a number by tab key; gets the list's filter without tab and page. */
  counts?: Call;
};

type Props = {
  tabs: TabsOf;
  address: URLSearchParams;
  query: Record<string, unknown>;
  set: (patch: Patch) => void;
};

/** How many records each tab has under the list's filter, by tab key; undefined until it is known. */
export function useTabCounts(
  tabs: TabsOf | undefined,
  query: Record<string, unknown>,
): Record<string, number> | undefined {
  const known = Object.keys(shapeOf(tabs?.counts?.query));
  const filter = Object.fromEntries(
    Object.entries(query).filter(
      ([k]) => known.includes(k) && ![tabs?.key, "pageNo", "pageSize", "sort", "order"].includes(k),
    ),
  );
  const { data } = useQuery({
    queryKey: [tabs?.counts?.path, filter],
    queryFn: ({ signal }) => sendWire<Record<string, number>>(tabs!.counts!, { query: filter }, { signal }),
    enabled: tabs?.counts !== undefined,
    placeholderData: (before) => before,
  });
  return data;
}

export function ListTabs({ tabs, address, query, set }: Props) {
  const data = useTabCounts(tabs, query);
  const first = tabs.items[0]?.key ?? "";
  // who comes without naming a tab does not stand before an empty one while another has something
  const arriving = useRef(!address.get(tabs.key));
  useEffect(() => {
    if (!data || !arriving.current) return;
    arriving.current = false;
    const filled = tabs.items.find((t) => data[t.key || "all"]);
    if (data[first || "all"] === 0 && filled) set({ [tabs.key]: filled.key });
  });
  const items = tabs.items.map((t) => {
    const count = data?.[t.key || "all"];
    return count === undefined ? t : { ...t, count };
  });
  return (
    <Underline
      label="分类"
      items={items}
      on={tabs.items.find((t) => t.key === address.get(tabs.key))?.key ?? first}
      onChange={(key) => set({ [tabs.key]: key === first ? undefined : key, pageNo: undefined })}
    />
  );
}
