/** Does a title match what was typed: by its characters, its pinyin initials or its whole pinyin? */
export type Finder = (title: string, typed: string) => boolean;

let loaded: Promise<Finder> | undefined;

/** The dictionary is large, so it comes only when somebody starts to search. */
export function finder(): Promise<Finder> {
  loaded ??= import("pinyin-pro").then(({ pinyin }) => {
    const known = new Map<string, readonly [initials: string, whole: string]>();
    const spelled = (title: string) => {
      const parts = known.get(title) ?? [
        pinyin(title, { pattern: "first", toneType: "none", type: "array" }).join("").toLowerCase(),
        pinyin(title, { toneType: "none", type: "array" }).join("").toLowerCase(),
      ];
      known.set(title, parts);
      return parts;
    };
    return (title, typed) => {
      const wanted = typed.toLowerCase().replaceAll(" ", "");
      return title.toLowerCase().includes(wanted) || spelled(title).some((s) => s.includes(wanted));
    };
  });
  return loaded;
}
