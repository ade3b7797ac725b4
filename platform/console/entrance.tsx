import { lazy, Suspense, useEffect, useMemo } from "react";
import { Navigate, useLocation } from "react-router";
import { brandNow, loadBrand, useBrand } from "./brand.ts";
import { entrance } from "./guard.ts";
import { pageOf } from "./load.tsx";
import { Lost } from "./lost.tsx";
import type { House } from "./screen.ts";
import { token } from "./session.ts";
import "./tokens.css";
import "./base.css";
import "./button.css";
import "./notice.css";

const Shell = lazy(() => import("./shell.tsx"));

export const titled = (title: string): string => `${title} - ${brandNow().productTitle}`;

/** The first fork: public pages come alone, everything else inside the shell. Loads neither antd nor the shell itself. */
export function Entrance({ house }: { house: House }) {
  const at = useLocation();
  const brand = useBrand();
  useEffect(() => void loadBrand(), []);
  const way = entrance(house, at, token() !== undefined);
  const screen = "screen" in way ? way.screen : undefined;
  useEffect(() => {
    if (screen) document.title = titled(screen.title);
  }, [screen, brand]);
  const Page = useMemo(() => screen && pageOf(screen), [screen]);
  if ("go" in way) return <Navigate to={way.go!} replace />;
  if (Page) {
    return (
      <Suspense fallback={<div className="blank" />}>
        <Page />
      </Suspense>
    );
  }
  if ("lost" in way) return <Lost signedIn={false} />;
  return (
    <Suspense fallback={<div className="blank blank--shell" />}>
      <Shell house={house} />
    </Suspense>
  );
}
