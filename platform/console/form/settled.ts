import { useEffect, useState } from "react";

/** The value once nobody has changed it for half a second: for what is too dear to be looked up or worked out with every key. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const wait = setTimeout(() => setSettled(value), 500);
    return () => clearTimeout(wait);
  }, [value]);
  return settled;
}
