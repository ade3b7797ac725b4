const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger/, "微信"],
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"],
];

/** "Chrome · Windows" out of what a browser says of itself; its own words where nothing is known. */
export function deviceOf(userAgent: string): string {
  const first = (of: typeof BROWSERS) => of.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [first(BROWSERS), first(SYSTEMS)].filter(Boolean).join(" · ") || userAgent.slice(0, 40) || "未知";
}
