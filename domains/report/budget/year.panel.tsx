import { useEffect } from "react";
import { useAddress, usePage } from "../../../platform/console/screens/page.ts";
import { useToday } from "../../../platform/console/session/operator.ts";

/** A list of one year: this one while nobody has chosen another, so that the filter says which it is. */
export function useYear(more: Record<string, string> = {}): number {
  const [address, set] = useAddress();
  const { active } = usePage();
  const now = useToday().slice(0, 4);
  const missing = Object.entries({ year: now, ...more }).filter(([key]) => !address.get(key));
  const wanted = missing.map(([key, value]) => `${key}=${value}`).join("&");
  useEffect(() => {
    if (active && wanted) set(Object.fromEntries(new URLSearchParams(wanted)));
  }, [active, wanted, set]);
  return Number(address.get("year")) || Number(now);
}
