import { screenAt, type House } from "../screens/screen.ts";

export const LOGIN = "/user/login";
export const HOME = "/workbench/WorkbenchPage";
export const LOST = "/404";

/** A redirect target is taken only when it is a path of our own. */
export function ownPath(target: string | null | undefined): string | undefined {
  if (!target || !target.startsWith("/") || target.startsWith("//") || /[\\\s]/.test(target))
    return undefined;
  return target.split(/[?#]/)[0] === LOGIN ? undefined : target;
}

export const loginFor = (target: string): string => {
  const own = ownPath(target);
  return own && own !== "/" && own !== HOME ? `${LOGIN}?redirect=${encodeURIComponent(own)}` : LOGIN;
};

/** What the address leads to before it is known who asks: a public page, the login page, or the shell. */
export function entrance(house: House, at: { pathname: string; search: string }, signedIn: boolean) {
  const forward = house.redirects.find((r) => r.from === at.pathname);
  if (forward) return { go: forward.to + at.search };
  if (at.pathname === LOGIN && signedIn) {
    return { go: ownPath(new URLSearchParams(at.search).get("redirect")) ?? HOME };
  }
  const screen = screenAt(house, at.pathname);
  if (screen?.kind === "public") return { screen };
  if (signedIn) return at.pathname === "/" ? { go: HOME } : { shell: true as const };
  if (at.pathname === LOST) return { lost: true as const };
  return { go: loginFor(at.pathname + at.search) };
}
