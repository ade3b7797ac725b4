import { Suspense, useEffect, useMemo, useState, type ComponentType } from "react";
import { Navigate, useLocation } from "react-router";
import { loadBrand, useBrand } from "../brand/brand.ts";
import { entrance } from "../session/guard.ts";
import { sentence } from "../calls/failure.ts";
import { ChunkLost, Fence, pageOf, preload, timed } from "../screens/load.tsx";
import { Lost, LOST_TITLE } from "../screens/lost.tsx";
import { askMeEarly } from "../session/me.ts";
import { screenAt, type House } from "../screens/screen.ts";
import { token } from "../session/session.ts";
import { windowKept } from "../session/storage.ts";
import { ownTitle, titled } from "./title.ts";
import { toast } from "../parts/toast.ts";
import "../parts/tokens.css";
import "../parts/base.css";
import "../parts/layout.css";

/** The first fork: public pages come alone, everything else inside the shell. Loads neither antd nor the shell itself. */
export function Entrance({ house }: { house: House }) {
  const at = useLocation();
  const brand = useBrand();
  useEffect(() => {
    void loadBrand();
    const notice = windowKept.get<string>("notice");
    if (notice) toast(notice, "error", "错误");
    windowKept.set("notice", null);
  }, []);
  const way = entrance(house, at, token() !== undefined);
  const screen = "screen" in way ? way.screen : undefined;
  const title = screen?.title ?? ("lost" in way ? LOST_TITLE : undefined);
  useEffect(() => {
    if (title) document.title = titled(ownTitle() ?? title);
  }, [title, brand]);
  const Page = useMemo(() => screen && pageOf(screen), [screen]);
  if ("go" in way) return <Navigate to={way.go!} replace />;
  if (Page) {
    return (
      <Fence broken={(error) => <Gone error={error} />}>
        <Suspense fallback={<div className="blank" />}>
          <Page />
        </Suspense>
      </Fence>
    );
  }
  if ("lost" in way) return <Lost signedIn={false} />;
  return <Inside house={house} path={at.pathname} />;
}

/** A page or the shell that did not come: the same words with and without the kit. */
const Gone = ({ error }: { error: unknown }) => (
  <section className="lost" role="alert">
    <h1>{error instanceof ChunkLost ? error.message : sentence(error)}</h1>
    <button type="button" className="btn btn--main" onClick={() => location.reload()}>
      重新加载
    </button>
  </section>
);

type ShellView = ComponentType<{ house: House }>;

/** Behind the login: shell, page and operator are fetched side by side. */
function Inside({ house, path }: { house: House; path: string }) {
  const [Shell, setShell] = useState<ShellView>();
  const [lost, setLost] = useState<unknown>();
  useEffect(() => {
    askMeEarly();
    timed(() => import("./shell.tsx"))().then((module) => setShell(() => module.default), setLost);
  }, []);
  useEffect(() => preload(screenAt(house, path)), [house, path]);
  if (Shell) return <Shell house={house} />;
  return lost ? <Gone error={lost} /> : <div className="blank blank--shell" />;
}
