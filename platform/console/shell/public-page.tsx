import type { ReactNode } from "react";
import { useBrand } from "../brand/brand.ts";
import { Failure, sentence } from "../calls/failure.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { Mark } from "../brand/logo.tsx";
import "./public-page.css";

type OpenPageProps = { children: ReactNode; tools?: ReactNode; wide?: boolean };

/** The frame of a public page that stands alone: the brand above, one column, the brand's line below. Light: no kit. */
export function OpenPage({ children, tools, wide }: OpenPageProps) {
  const brand = useBrand();
  return (
    <div className={`open__page ${wide ? "open__page--wide" : ""}`}>
      <header className="open__head">
        <span className="open__brand row gap-5">
          <Mark size={24} />
          {brand.productTitle}
        </span>
        {tools}
      </header>
      <main className="open__main">{children}</main>
      <footer className="open__foot fs-12 dim">{brand.footerText}</footer>
    </div>
  );
}

type OpenSaidProps = { icon: IconName; title: string; look?: "plain" | "good" | "bad"; children?: ReactNode };

/** One thing to say in the middle of the page, and what to do about it. */
export const OpenSaid = ({ icon, title, look = "plain", children }: OpenSaidProps) => (
  <section className="open__said stack gap-6 sub" role={look === "bad" ? "alert" : "status"}>
    <span className={`open__sign open__sign--${look}`}>
      <Icon name={icon} size={20} />
    </span>
    <h1>{title}</h1>
    {children}
  </section>
);

/** The shape of what comes, while it is on its way. */
export const OpenWaiting = () => (
  <div className="open__wait grid gap-8" aria-busy="true" aria-label="加载中">
    <i />
    <i />
    <i />
    <i />
  </div>
);

/** A refusal is final and only said; what a bad line did can be tried again. */
export const OpenFailed = ({ error, retry }: { error: unknown; retry: () => void }) => {
  const final = error instanceof Failure && error.status >= 400 && error.status < 500 && error.status !== 429;
  return (
    <OpenSaid icon={final ? "info" : "warn"} look={final ? "plain" : "bad"} title={sentence(error)}>
      {!final && (
        <button type="button" className="btn btn--main" onClick={retry}>
          重试
        </button>
      )}
    </OpenSaid>
  );
};
