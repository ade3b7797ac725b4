import { useState } from "react";
import { OptionSelect } from "../../../platform/console/inputs/selects.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { ACT_KIND_WORDS } from "../act/act.rules.ts";
import type { ContractDetail } from "../contract/detail.contract.ts";
import { termsVersions } from "../paper/paper.contract.ts";
import { termsSections } from "../paper/versions.rules.ts";

/** The terms in force in the words of the paper, with the choices behind them, and what they were before. */
export function ContractTerms({ contract: c }: { contract: ContractDetail }) {
  return (
    <div className="clauses">
      {termsSections(c).map(({ title, items }) =>
        items.length || title === "费用" ? (
          <section key={title}>
            <h3>{title}</h3>
            <ul>
              {items.map((text, i) => (
                <li key={i}>{text}</li>
              ))}
              {title === "计费方式" && c.netRent !== null && <li>折后月租 {yuan(c.netRent)}</li>}
              {!items.length && <li className="dim">没有约定其他费用</li>}
            </ul>
          </section>
        ) : null,
      )}
      <Versions id={c.id} />
    </div>
  );
}

/** Two versions of the terms side by side, what differs marked. */
function Versions({ id }: { id: number }) {
  const [asked, ask] = useState<{ older?: number; newer?: number }>({});
  return (
    <section aria-label="版本比较">
      <h3>版本比较</h3>
      <Loaded call={termsVersions} sent={{ params: { id }, query: asked }} lines={4}>
        {({ versions, older, newer, rows }) => {
          if (older === null || newer === null) return <p className="dim fs-13">条款没有变更过</p>;
          const options = versions.map((v) => ({
            value: v.version,
            label: `第 ${v.version} 版（${v.effectiveFrom} 起，${v.actKind ? ACT_KIND_WORDS[v.actKind][0] : "签署"}）`,
          }));
          return (
            <div className="stack gap-6">
              <div className="row wrap">
                <label htmlFor="terms-older">由</label>
                <OptionSelect
                  id="terms-older"
                  value={older}
                  options={options}
                  onChange={(v) => ask({ newer, older: v ?? older })}
                />
                <label htmlFor="terms-newer">到</label>
                <OptionSelect
                  id="terms-newer"
                  value={newer}
                  options={options}
                  onChange={(v) => ask({ older, newer: v ?? newer })}
                />
              </div>
              {!rows.some((r) => r.changed) && <p className="dim fs-13">两个版本的条款相同</p>}
              <div className="row gap-8 fs-12 dim">
                <span className="grow">第 {older} 版</span>
                <span className="grow">第 {newer} 版</span>
              </div>
              {[...new Set(rows.map((r) => r.section))].map((section) => (
                <Beside key={section} title={section} rows={rows.filter((r) => r.section === section)} />
              ))}
            </div>
          );
        }}
      </Loaded>
    </section>
  );
}

type Rows = Reply<typeof termsVersions>["rows"];

/** One section: old words left, new words right, and which of them the other version does not have. */
const Beside = ({ title, rows }: { title: string; rows: Rows }) => (
  <div className="stack gap-2">
    <div className="row fs-13">
      <b>{title}</b>
      {rows.some((r) => r.changed) && <StatusTag tone="orange">有变化</StatusTag>}
    </div>
    <ul>
      {rows.map(({ older, newer, changed }, i) => (
        <li key={i} className="row baseline gap-8">
          <span className="grow">
            {changed && older ? <del className="bad">{older}</del> : older || NONE}
          </span>
          <span className="grow">
            {changed && newer ? <ins className="good">{newer}</ins> : newer || NONE}
          </span>
        </li>
      ))}
    </ul>
  </div>
);
