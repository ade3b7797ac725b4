import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { RowActions } from "../../../platform/console/parts/actions.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { VILLAGE_STATES } from "../../listing/village/village.rules.ts";
import {
  PAY_CHANNEL,
  PAY_TYPES,
  placeText,
  PURPOSE,
  TERMINAL,
  TERMINALS,
  type Terminal,
} from "./channel.rules.ts";
import { allBindings } from "./binding.contract.ts";
import { type At, Bindings, BindingCopy, BindingForm } from "./bindings.panel.tsx";

type Store = Reply<typeof allBindings>[number];
type Opened = { store: Store; at: At; filled: boolean };
const named = (store: Store) => ({ id: store.villageId, name: store.villageName });

/** 门店配置: stores down, places to pay across. Empty is amber where the store is open and cannot take the money. */
export function StoreTable() {
  const [address, set] = useAddress();
  const [opened, setOpened] = useState<Opened>();
  const [copying, setCopying] = useState<Store>();
  const villageIds = address.get("villageIds") ?? "";
  const terminal = (TERMINALS.find((t) => t === address.get("terminal")) ?? "counter") as Terminal;
  const { data, error, refetch } = useQuery(ask(allBindings, { query: villageIds ? { villageIds } : {} }));
  const lacking = (at: Terminal) =>
    (data ?? []).filter((s) => s.state === "open" && !s.bindings.some((b) => b.terminal === at)).length;
  const close = () => setOpened(undefined);
  return (
    <section className="card stores stack fill">
      <div className="stores__tabs">
        <Underline
          small
          label="终端"
          items={TERMINALS.map((key) => ({ key, title: TERMINAL[key][0] }))}
          on={terminal}
          onChange={(next) => set({ terminal: next === "counter" ? undefined : next })}
        />
      </div>
      <div className="stores__bar row wrap fs-13">
        <VillagesSelect
          value={villageIds.split(",").filter(Boolean).map(Number)}
          onChange={(ids) => set({ villageIds: ids })}
        />
        <span className="dim">
          {data && lacking(terminal)
            ? `${lacking(terminal)} 个营业中的门店在${TERMINAL[terminal][0]}还不能收款`
            : (may("252.add") || may("252.edit")) && "点击格子配置或更换账户"}
        </span>
      </div>
      {error && !data ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={8} />
      ) : !data.length ? (
        <Empty text="范围内还没有门店" />
      ) : (
        <div className="stores__scroll">
          <table className="tbl stores__table">
            <thead>
              <tr>
                <th>门店</th>
                <th>状态</th>
                {PAY_TYPES[terminal].map((payType) => (
                  <th key={payType}>{PAY_CHANNEL[payType][0]}</th>
                ))}
                {may("252.edit") && <th>操作</th>}
              </tr>
            </thead>
            <tbody>
              {data.map((store) => (
                <tr key={store.villageId}>
                  <th scope="row">{store.villageName}</th>
                  <td>
                    <WordTag words={VILLAGE_STATES} code={store.state} />
                  </td>
                  {PAY_TYPES[terminal].map((payType) => (
                    <Place key={payType} store={store} at={{ terminal, payType }} open={setOpened} />
                  ))}
                  {may("252.edit") && (
                    <td>
                      <RowActions
                        actions={[
                          {
                            label: "复制到…",
                            why: store.bindings.length ? undefined : "该门店还没有可复制的配置",
                            run: () => setCopying(store),
                          },
                        ]}
                      />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {opened &&
        (opened.filled ? (
          <Dialog title={`${opened.store.villageName} · ${placeText(opened.at)}`} width={640} onClose={close}>
            <Bindings village={named(opened.store)} at={opened.at} />
          </Dialog>
        ) : (
          <BindingForm village={named(opened.store)} at={opened.at} onClose={close} />
        ))}
      {copying && <BindingCopy from={named(copying)} onClose={() => setCopying(undefined)} />}
    </section>
  );
}

/** One cell: the accounts of a place, or that there is none. */
function Place({ store, at, open }: { store: Store; at: At; open: (opened: Opened) => void }) {
  const here = store.bindings.filter((b) => b.terminal === at.terminal && b.payType === at.payType);
  const missing = !here.length && store.state === "open";
  const content = here.length ? (
    here.map((b) => (
      <span key={b.id} className="stores__one">
        {b.purpose !== "all" && <small className="dim">{PURPOSE[b.purpose][0]} </small>}
        {b.accountName}
        {b.state === "disabled" && <StatusTag tone="orange">已停用</StatusTag>}
      </span>
    ))
  ) : (
    <span className={missing ? "" : "dim"}>未配置</span>
  );
  const filled = here.length > 0;
  return (
    <td className={missing ? "stores__missing" : ""}>
      {filled || may("252.add") ? (
        <button
          type="button"
          className="stores__cell"
          aria-label={`${store.villageName} ${placeText(at)}：${here.map((b) => b.accountName).join("、") || "未配置"}`}
          onClick={() => open({ store, at, filled })}
        >
          {content}
        </button>
      ) : (
        content
      )}
    </td>
  );
}
