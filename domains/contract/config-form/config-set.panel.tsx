import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { History } from "../../../platform/console/detail/history.tsx";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { comingText, configLines } from "../config/config-check.rules.ts";
import { readContractConfig, removeContractConfig } from "../config/config.contract.ts";
import { type Config, ConfigForm } from "./config.form.tsx";
import { CONFIG_SOURCES } from "../config/config.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import "../contract/contract.css";

const FOLLOWS = {
  village: "本门店单独设置",
  enterprise: "沿用企业设置",
  platform: "企业尚未设置，当前使用平台默认",
} as const;

type ConfigSetProps = {
  villageId: number | null;
  /** Begins with the form. */
  start?: boolean | undefined;
};

/** The contract parameters in force in a village, or those of the enterprise: whose they are, how they read, and the way to change them. */
export function ConfigSet({ villageId, start = false }: ConfigSetProps) {
  const act = useAct();
  const [editing, setEditing] = useState(start);
  const query = villageId ? { villageId } : {};
  const { data, error, refetch } = useQuery(ask(readContractConfig, { query }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  const own = data.version > 0;
  if (editing) return <ConfigForm config={data} onClose={() => setEditing(false)} />;
  return (
    <>
      <div className="conf__head row wrap">
        <WordTag words={CONFIG_SOURCES} code={data.source} dot={false} />
        <span>{villageId || data.source === "platform" ? FOLLOWS[data.source] : "各门店默认沿用"}</span>
        {own && data.updatedAt && (
          <span className="dim">
            {data.updatedBy ?? "系统"} {timeInZone(data.updatedAt).slice(0, 16)} 修改
          </span>
        )}
      </div>
      <Coming coming={data.coming} />
      <dl className="facts" style={{ "--cols": 2 } as React.CSSProperties}>
        {configLines({ ...data, defaultTerms: data.defaultTerms as Partial<Terms> }).map(([title, text]) => (
          <Line key={title} title={title} text={text} />
        ))}
      </dl>
      <div className="acts">
        <ActionButtons
          say
          actions={[
            {
              label: villageId && !own ? "单独设置" : "修改合同参数",
              need: "95.edit",
              why: data.editable ? undefined : "企业设置影响全部门店，由可管理全部门店的人员修改",
              run: () => setEditing(true),
            },
            villageId !== null &&
              own && {
                label: "恢复沿用企业设置",
                does: removeContractConfig,
                run: () =>
                  act(
                    removeContractConfig,
                    { query: { villageId } },
                    {
                      done: "已恢复沿用企业设置，仅影响新签合同",
                      ask: {
                        title: "恢复沿用企业设置",
                        body: "本门店单独设置的合同参数将被取消，以后新签的合同按企业设置；已签合同不变。",
                      },
                    },
                  ),
              },
          ]}
        />
        {may("95.edit") && <span className="dim">修改仅影响新签合同</span>}
      </div>
      {own && data.id && may(["130.query", "95.get"]) && (
        <>
          <h3 className="form__section">修改记录</h3>
          <History kind="contractConfig" id={data.id} />
        </>
      )}
    </>
  );
}

const Line = ({ title, text }: { title: string; text: string }) => (
  <>
    <dt>{title}</dt>
    <dd>{text}</dd>
  </>
);

/** Late-fee terms that are decided and have not begun. */
export const Coming = ({
  coming,
  withdraw,
}: Pick<Config, "coming"> & { withdraw?: ((from: string) => unknown) | undefined }) =>
  coming.length > 0 && (
    <div className="conf__wait tinted s-gold fs-13" role="status">
      {coming.map((c) => (
        <div key={c.from}>
          <b>{c.from} 起</b>　{comingText(c)}{" "}
          {withdraw && (
            <button type="button" className="linkish" onClick={() => void withdraw(c.from)}>
              撤销
            </button>
          )}
        </div>
      ))}
    </div>
  );
