/** Words that only sort records (kinds, ways, sources, channels) say nothing of a state: all of them are grey. */
export const greys = <K extends string | number>(titles: Record<K, string>) =>
  Object.fromEntries(Object.entries(titles).map(([key, text]) => [key, [text, "grey"]])) as unknown as Record<
    K,
    readonly [text: string, tone: "grey"]
  >;
