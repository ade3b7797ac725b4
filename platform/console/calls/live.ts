import { useEffect } from "react";

/** Between two looks (specification section 9). */
const EVERY_MS = 50_000;

/** What is polled. A hidden tab asks nothing; when it is seen again it asks at once. What fails leaves the last answer standing. */
export const LIVE = {
  refetchInterval: EVERY_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: "always" as const,
  retry: false,
};

/** A window that gets the focus back was in sight all along: the browser calls that no return. */
export function useFocus(look: () => void) {
  useEffect(() => {
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, [look]);
}
