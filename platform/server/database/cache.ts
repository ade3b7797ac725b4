import { forOthersToo } from "./abandoned.ts";

type Entry<V> = { mark: string; made: number; weight?: number; value: Promise<V | undefined> };

type Declared<From, K, V> = {
  /** The database that is asked: every one has figures of its own. */
  base: (from: From) => object;
  /** What tells of each key that something changed. Read before the value is made: what changes meanwhile has another mark. */
  marks: (from: From, keys: readonly K[]) => ReadonlyMap<K, string> | Promise<ReadonlyMap<K, string>>;
  /** The values, counted anew. Keys that it does not answer have none. */
  make: (from: From, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;
  /** Many keys are made in so many readings side by side: the database has more than one core. */
  atOnce?: number;
  /** How much is kept together, in keys or by the weight of values; what nobody asked for longest gives way. */
  most?: number;
  weigh?: (value: V) => number;
  /** For marks that may miss a change: values are made again after so long. */
  longestMs?: number;
};

/** Fewer keys than these are not worth a reading of their own. */
const FEWEST = 5;

/**
 * A marked cache: values that stand in memory while the mark of what they were made from does. Whoever asks while one is
 * being made waits for it instead of making another. They can be lost at any time and are never changed by who reads them.
 */
export function markedCache<From, K, V>({
  base,
  marks,
  make,
  atOnce = 1,
  most = Infinity,
  weigh = () => 1,
  longestMs = Infinity,
}: Declared<From, K, V>) {
  const bases = new WeakMap<object, Map<K, Entry<V>>>();

  const inParts = async (from: From, keys: readonly K[]): Promise<ReadonlyMap<K, V>> => {
    const size = Math.max(FEWEST, Math.ceil(keys.length / atOnce));
    const parts = Array.from({ length: Math.ceil(keys.length / size) }, (_, i) =>
      make(from, keys.slice(i * size, (i + 1) * size)),
    );
    return new Map((await Promise.all(parts)).flatMap((found) => [...found]));
  };

  const giveWay = (kept: Map<K, Entry<V>>, asked: ReadonlySet<K>) => {
    let sum = 0;
    for (const { weight = 0 } of kept.values()) sum += weight;
    for (const [key, { weight = 0 }] of kept) {
      if (sum <= most) return;
      if (asked.has(key)) continue;
      kept.delete(key);
      sum -= weight;
    }
  };

  return async (from: From, keys: readonly K[]): Promise<Map<K, V>> => {
    const kept = bases.get(base(from)) ?? new Map<K, Entry<V>>();
    bases.set(base(from), kept);
    const standing = await marks(from, keys);
    const markOf = (key: K) => standing.get(key) ?? "";
    const now = performance.now();
    const stands = (key: K) => {
      const entry = kept.get(key);
      return entry?.mark === markOf(key) && now - entry.made < longestMs;
    };
    const old = keys.filter((key) => !stands(key));
    const fresh = old.length ? forOthersToo(() => inParts(from, old)) : undefined;
    const entries = keys.map((key): [K, Entry<V>] => {
      const known = kept.get(key);
      if (known && stands(key)) return [key, known];
      const value = fresh!.then((found) => found.get(key));
      return [key, { mark: markOf(key), made: now, value }];
    });
    for (const [key, entry] of entries) {
      // the one asked for now is the last to go
      kept.delete(key);
      kept.set(key, entry);
      if (entry.weight === undefined)
        entry.value.then(
          (value) => (entry.weight = value === undefined ? 1 : weigh(value)),
          // whoever asks next makes it again
          () => kept.get(key) === entry && kept.delete(key),
        );
    }
    const values = new Map<K, V>();
    for (const [key, entry] of entries) {
      const value = await entry.value;
      if (value !== undefined) values.set(key, value);
    }
    if (fresh) giveWay(kept, new Set(keys));
    return values;
  };
}
