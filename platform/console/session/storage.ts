/** What this browser keeps for the console. Every key lies under the prefix `sig__`. */
const PREFIX = "sig__";

type Kept<T> = { value: T; until: number | null };

/** A value kept in this browser; undefined when absent, out of date or unreadable. */
export function kept<T>(key: string): T | undefined {
  try {
    const raw = localStorage.getItem(PREFIX + key);
    if (!raw) return undefined;
    const { value, until } = JSON.parse(raw) as Kept<T>;
    if (until === null || until > Date.now()) return value;
    localStorage.removeItem(PREFIX + key);
  } catch {
    // a full or closed storage, or a value that somebody else wrote: the console works without it
  }
  return undefined;
}

/** `ttl` in milliseconds; without it the value stays. */
export function keep(key: string, value: unknown, ttl?: number): void {
  try {
    const until = ttl === undefined ? null : Date.now() + ttl;
    localStorage.setItem(PREFIX + key, JSON.stringify({ value, until } satisfies Kept<unknown>));
  } catch {
    // see above
  }
}

export function drop(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // see above
  }
}

/** Calls whenever another window of this browser keeps something else under a key. Answers what ends it. */
export function whenKept(key: string, call: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === PREFIX + key && event.newValue) call();
  };
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}

/** What lives as long as this window, reloads included: the open tabs. */
export const windowKept = {
  get<T>(key: string): T | undefined {
    try {
      return JSON.parse(sessionStorage.getItem(PREFIX + key) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  },
  set(key: string, value: unknown): void {
    try {
      sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
    } catch {
      // see above
    }
  },
};
