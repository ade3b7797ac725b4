import type { ReactNode } from "react";
import { Link } from "react-router";
import { brandAsset, useBrand } from "../../../platform/console/brand/brand.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { Mark } from "../../../platform/console/brand/logo.tsx";
import { Facade } from "./facade.panel.tsx";
import "./login.css";

/** The frame of every page before the login: the brand's picture on the left, what is to be done on the right, the footer. */
export function Front({ children, wide }: { children: ReactNode; wide?: boolean }) {
  const brand = useBrand();
  const picture = brandAsset(brand.background);
  const logo = brandAsset(brand.logo);
  return (
    <div className="login">
      <section className="brand" aria-label={brand.productTitle}>
        {picture ? <img className="art" src={picture} alt="" /> : <Facade />}
        <div className="brand__mark row gap-5">
          {logo ? <img src={logo} alt="" height={24} /> : <Mark size={24} />}
          {brand.productTitle}
        </div>
        <div className="brand__say">
          <h2>{brand.slogan}</h2>
          <p>{brand.sloganNote}</p>
        </div>
      </section>
      <main className="panel stack">
        <div className="panel__top" />
        <div className={`panel__mid ${wide ? "panel__mid--wide" : ""}`}>{children}</div>
        <footer className="login__foot row gap-0 fs-12 dim">{brand.footerText}</footer>
      </main>
    </div>
  );
}

/** What stands in the way, above the fields. */
export const FrontAlert = ({ children }: { children: ReactNode }) =>
  children ? (
    <div className="login__alert row fs-13 bad" role="alert">
      <Icon name="warn" />
      {children}
    </div>
  ) : null;

export const FrontSubmit = ({ busy, children }: { busy: boolean; children: ReactNode }) => (
  <button type="submit" className="btn btn--main btn--lg" aria-busy={busy || undefined}>
    {busy && <span className="btn__spin" />}
    {children}
  </button>
);

/** An agreement in a window of its own: what was typed here stays. */
export const Agreement = ({ type, children }: { type: "user" | "privacy"; children: string }) => (
  <Link
    className="login__agreement"
    to={`/system/appAgreementPage?type=${type}`}
    target="_blank"
    rel="noopener"
  >
    {`《${children}》`}
  </Link>
);
