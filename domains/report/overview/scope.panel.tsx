import { useEffect } from "react";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { toast } from "../../../platform/console/parts/toast.ts";

/**
 * An address may name stores that its reader does not see: they are said not to be there and fall out of it. False until
 * that is settled, so that nothing is asked for them.
 */
export function useStoresInScope(): boolean {
  const [address, set] = useAddress();
  const { data, error } = useVillages();
  const named = address.get("villageIds")?.split(",").filter(Boolean) ?? [];
  const seen = named.filter((id) => data?.some((village) => String(village.value) === id));
  const strange = data !== undefined && seen.length < named.length;
  const left = seen.join(",") || undefined;
  useEffect(() => {
    if (!strange) return;
    toast("记录不存在或无权查看", "warning");
    set({ villageIds: left });
  }, [strange, left, set]);
  return !named.length || (data !== undefined && !strange) || error !== null;
}
