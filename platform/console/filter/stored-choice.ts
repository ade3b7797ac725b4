import { useCallback, useState, useSyncExternalStore } from "react";
import { mine } from "../session/operator.ts";
import { drop, keep, kept } from "../session/storage.ts";

/** A choice of this operator in this browser. */
export function useKept<T>(key: string, initial: T): [T, (value: T) => void] {
  const read = () => ({ key, value: kept<T>(mine(key)) ?? initial });
  const [held, setHeld] = useState(read);
  // what stood here was kept under another key: a list of another tab
  const now = held.key === key ? held : read();
  if (now !== held) setHeld(now);
  const set = useCallback(
    (next: T) => {
      setHeld({ key, value: next });
      if (next === undefined) drop(mine(key));
      else keep(mine(key), next);
    },
    [key],
  );
  return [now.value, set];
}

const narrow = matchMedia("(max-width: 767px)");
const subscribe = (listener: () => void) => {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
};

/** Narrower than 768 px: tables become cards, forms one column. */
export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
