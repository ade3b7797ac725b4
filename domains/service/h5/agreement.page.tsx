import { useCallback, useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useBrand } from "../../../platform/console/brand/brand.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { OpenFailed, OpenPage, OpenWaiting } from "../../../platform/console/shell/public-page.tsx";
import { sendWire, type Wire } from "../../../platform/console/calls/request.ts";
import { keep, kept } from "../../../platform/console/session/storage.ts";
import { useTitle } from "../../../platform/console/shell/title.ts";
import { AGREEMENTS, type AgreementType, type Block, contentsOf } from "./block.rules.ts";
import { Blocks } from "./blocks.panel.tsx";
import "./h5.css";

const READ: Wire = { method: "GET", path: "/support/api/v3/h5Page/agreement", asNobody: true };
const SIZES = [14, 16, 18, 20, 24];

type Agreement = {
  type: AgreementType;
  title: string;
  number: number;
  effectiveDay: string;
  blocks: Block[];
  before: number | null;
  holds: number | null;
};
type Answer = { of: string; agreement?: Agreement; error?: unknown };

/** What people accept when they sign in, register or sign; and later the very text that they accepted. */
export default function AgreementPage() {
  const [search] = useSearchParams();
  const type = search.get("type") || "user";
  const version = search.get("version") || undefined;
  const of = `${type} ${version ?? ""}`;
  const [answer, setAnswer] = useState<Answer>();
  const [size, setSize] = useState(() => Math.max(0, SIZES.indexOf(kept<number>("agreementSize") ?? 16)));
  const load = useCallback(() => {
    setAnswer(undefined);
    sendWire<Agreement>(READ, { query: { type, version } }).then(
      (agreement) => setAnswer({ of, agreement }),
      (error: unknown) => setAnswer({ of, error }),
    );
  }, [type, version, of]);
  useEffect(load, [load]);
  const now = answer?.of === of ? answer : undefined;
  const known = (AGREEMENTS as Record<string, string | undefined>)[type];
  useTitle(now?.agreement?.title ?? known);
  const choose = (next: number) => {
    setSize(next);
    keep("agreementSize", SIZES[next]);
  };
  return (
    <OpenPage
      wide
      tools={
        now?.agreement && (
          <span className="agreement__tools">
            <Tool label="A− 缩小字号" off={size === 0} run={() => choose(size - 1)}>
              A−
            </Tool>
            <Tool label="A+ 放大字号" off={size === SIZES.length - 1} run={() => choose(size + 1)}>
              A+
            </Tool>
            <Tool label="打印" run={() => print()}>
              <Icon name="print" />
            </Tool>
          </span>
        )
      }
    >
      {now?.error ? (
        <OpenFailed error={now.error} retry={load} />
      ) : now?.agreement ? (
        <Shown agreement={now.agreement} size={SIZES[size]!} />
      ) : (
        <OpenWaiting />
      )}
    </OpenPage>
  );
}

function Shown({ agreement: a, size }: { agreement: Agreement; size: number }) {
  const { productTitle } = useBrand();
  const contents = contentsOf(a.blocks);
  const at = (version: number) => `/system/appAgreementPage?type=${a.type}&version=${version}`;
  return (
    <article className="open__card agreement" style={{ fontSize: size }}>
      <p className="fs-13 dim">{productTitle}</p>
      <h1>{a.title}</h1>
      <p className="agreement__facts fs-13 dim">
        <span>第 {a.number} 版</span>
        <span>生效日期 {a.effectiveDay}</span>
        {a.before !== null && <Link to={at(a.before)}>查看上一版本</Link>}
      </p>
      {a.holds !== null && (
        <p className="agreement__other" role="note">
          {a.holds > a.number ? "这是以前的版本" : "这一版尚未生效"}，
          <Link to={`/system/appAgreementPage?type=${a.type}`}>查看现行的第 {a.holds} 版</Link>
        </p>
      )}
      {contents.length > 1 && (
        <nav className="agreement__contents" aria-label="目录">
          <b>目录</b>
          <ol>
            {contents.map((heading) => (
              <li key={heading.id} className={heading.level === 2 ? "agreement__deep" : undefined}>
                <a href={`#${heading.id}`}>{heading.text}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <Blocks pageId={0} blocks={a.blocks} />
    </article>
  );
}

type ToolProps = { label: string; off?: boolean; run: () => void; children: React.ReactNode };
const Tool = ({ label, off, run, children }: ToolProps) => (
  <button type="button" className="ib" aria-label={label} title={label} disabled={off} onClick={run}>
    {children}
  </button>
);
