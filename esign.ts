import "./platform/console/parts/tokens.css";
import "./platform/console/parts/base.css";
import "./platform/console/parts/layout.css";

/** What a one-time address outside /sams/ leads to: its kind stands in the path, and after it its code. */
const PAGES: Record<
  string,
  () => Promise<{ default: (root: HTMLElement, code: string) => void | Promise<void> }>
> = {
  a: () => import("./domains/contract/lessor-form/letter.page.tsx"),
  d: () => import("./domains/contract/turnover/declare.page.tsx"),
  m: () => import("./domains/contract/self-service/mine.page.tsx"),
  o: () => import("./domains/contract/renewal/offer.page.tsx"),
  q: () => import("./domains/contract/settle-link/confirm.page.tsx"),
  s: () => import("./domains/contract/esign/signer.page.tsx"),
  t: () => import("./domains/contract/esign/signer.page.tsx").then((m) => ({ default: m.trial })),
};

const [, , kind = "", code = ""] = location.pathname.split("/");
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => (document.documentElement.dataset["theme"] = dark.matches ? "dark" : "light");
follow();
dark.addEventListener("change", follow);
const page = PAGES[kind];
if (page) await (await page()).default(document.getElementById("root")!, decodeURIComponent(code));
