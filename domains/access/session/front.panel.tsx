import type { FormHTMLAttributes, ReactNode } from "react";
import { Link } from "react-router";
import { brandAsset, useBrand } from "../../../platform/console/brand/brand.ts";
import { Mark } from "../../../platform/console/brand/logo.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
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

/** A form of these pages: judged by the page, not by the browser. */
export const FrontForm = ({
  submit,
  ...form
}: Pick<FormHTMLAttributes<HTMLFormElement>, "children" | "className" | "role"> & {
  submit: () => unknown;
}) => (
  <form
    {...form}
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      submit();
    }}
  />
);

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

/** Windows of one house: a row of letters per floor. `.` dark, `o` let, `y` expiring, `g` vacant, `b` moving in. */
type House = readonly [
  wall: readonly [x: number, y: number, width: number, height: number, colour: string],
  at: readonly [x: number, y: number],
  step: readonly [x: number, y: number],
  pane: readonly [w: number, h: number],
  floors: string,
];

const FAR: readonly House[] = [
  [[10, 583, 134, 317, "#16244A"], [32, 605], [34, 31], [22, 15], "... ... ... ... .oo ... .o. ..o o.."],
  [
    [704, 484, 219, 416, "#16244A"],
    [726, 506],
    [31, 29],
    [20, 14],
    "oo..og .....o ...... ..y.o. ..o... .b.o.. ...... b..... .b.... .yo... g..o.o .o.... ..o..o",
  ],
];
const NEAR: readonly House[] = [
  [
    [412, 367, 374, 533, "#131F40"],
    [434, 389],
    [38, 33],
    [26, 17],
    "oo..go... .o.boy... bbg.oooyo o.goooo.. oo..obo.o b....oyo. oo....bg. .oy.byo.o .g..g.ooo ooo..ooo. ....ooyo. o.o..ooo. ..b.yo..b ooyobo..o .bo.gb.bo",
  ],
  [
    [130, 608, 336, 302, "#172650"],
    [152, 630],
    [38, 33],
    [26, 17],
    "yy.o.obo oo.obooo b.ob..o. o...yoo. .....oo. ..obboo. o.o.yooo ..yo..o.",
  ],
];
const LIGHT: Record<string, string> = {
  ".": "#263861",
  o: "#4A629B",
  y: "#FFD666",
  g: "#3FA377",
  b: "#5587FF",
};

const Building = ({ house: [[x, y, width, height, wall], at, step, pane, floors] }: { house: House }) => (
  <>
    <rect x={x} y={y} width={width} height={height} fill={wall} />
    {floors
      .split(" ")
      .flatMap((floor, row) =>
        [...floor].map((light, column) => (
          <rect
            key={`${row} ${column}`}
            x={at[0] + column * step[0]}
            y={at[1] + row * step[1]}
            width={pane[0]}
            height={pane[1]}
            rx="1.5"
            fill={LIGHT[light]}
          />
        )),
      )}
  </>
);

/** The brand's picture: facades drawn as a room board. */
export const Facade = () => (
  <svg className="art" viewBox="0 0 920 900" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
    <defs>
      <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="#0E1730" />
        <stop offset="1" stopColor="#1E3160" />
      </linearGradient>
    </defs>
    <rect width="920" height="900" fill="url(#sky)" />
    <g opacity=".45">
      {FAR.map((house) => (
        <Building key={house[4]} house={house} />
      ))}
    </g>
    {NEAR.map((house) => (
      <Building key={house[4]} house={house} />
    ))}
    <rect y="886" width="920" height="14" fill="#0B1226" />
  </svg>
);
