import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { CHANGES, askSwapped, changes } from "../successor/successor.contract.ts";
import {
  CHANGE_PAGE,
  type ChangeRow,
  TABS,
  countChanges,
  exportChanges,
  listChanges,
} from "./moving.contract.ts";
import { ChangeForm } from "./moving.form.tsx";
import { SwapForm } from "./swap.form.tsx";
import {
  ChangeDrawer,
  RoomsFromTo,
  contractPath,
  fromTo,
  partiesOf,
  useChangeActs,
} from "./moving.panel.tsx";

type Kind = ChangeRow["kind"];
const KINDS = Object.keys(CHANGES) as Kind[];

/** 换房管理: tenants who move into another room, and leases that pass to another tenant; ?kind= says which. */
export default function ChangesPage() {
  const [address] = useAddress();
  const go = useGo();
  const kind = KINDS.find((k) => k === address.get("kind")) ?? "room";
  return (
    // what one tab keeps in the address means nothing to the next
    <TabPage
      label="办理类型"
      items={KINDS.map((key) => ({ key, title: CHANGES[key][0] }))}
      on={kind}
      onChange={(next) => go(CHANGE_PAGE, { kind: next })}
    >
      <Changes key={kind} kind={kind} />
    </TabPage>
  );
}

function Changes({ kind }: { kind: Kind }) {
  const acts = useChangeActs();
  const [address] = useAddress();
  const [swapping, setSwapping] = useState(false);
  const word = CHANGES[kind][0];
  return (
    <>
      <ListPage
        call={listChanges}
        fixed={{ kind }}
        unit="笔"
        tabs={{
          key: "tab",
          counts: countChanges,
          items: [
            { key: "", title: "全部" },
            ...Object.entries(TABS).map(([key, title]) => ({ key, title })),
          ],
        }}
        filters={["villageIds", "keyword", "effectiveFrom", "handlerId", "reason", "requestedFrom"]}
        columns={[
          "actNo",
          { key: "contractNo", width: 146, to: (r) => contractPath(r, r.contractId) },
          { key: "nextNo", width: 146, wide: true, to: (r) => contractPath(r, r.nextId) },
          { key: "villageName", hidden: true },
          {
            key: "partyName",
            width: kind === "tenant" ? 136 : 84,
            ...(kind === "tenant" && { holds: ["nextPartyName"] as const }),
            show: partiesOf,
          },
          {
            key: "roomNames",
            width: 132,
            ...(kind === "room" && { holds: ["nextRoomNames"] as const }),
            show: (r) => <RoomsFromTo of={r} />,
          },
          { key: "effectiveOn", width: 104 },
          {
            key: "rentAfter",
            title: "月租",
            width: 170,
            wide: true,
            holds: ["rentBefore"],
            show: (r) => fromTo(yuan(r.rentBefore), r.rentAfter === null ? null : yuan(r.rentAfter)),
          },
          { key: "rentChange", wide: true },
          { key: "depositChange", wide: true },
          { key: "rentDue", wide: true },
          { key: "fee", wide: true },
          { key: "due", strong: true },
          "refund",
          { key: "state", width: 96 },
          { key: "handlerName", width: 88 },
          { key: "source", width: 72 },
          "requestedOn",
          { key: "pairedNo", hidden: true },
          { key: "reason", hidden: true },
          { key: "updatedAt", hidden: true },
        ]}
        card={{
          title: "partyName",
          right: "state",
          lines: [["roomNames", "due"], ["effectiveOn", "rentAfter"], ["actNo"]],
        }}
        adds={{
          label: `新增${word}`,
          does: changes.ask,
          form: (close) => (
            <ChangeForm
              kind={kind}
              contractId={Number(address.get("moving")) || undefined}
              onAsked={({ id, actNo, version }) => acts.show({ id, actNo, version, kind })}
              onClose={close}
            />
          ),
        }}
        toolbar={
          kind === "room" ? [{ label: "新增对调", does: askSwapped, run: () => setSwapping(true) }] : []
        }
        rowActions={acts.of}
        drawer={(id) => <ChangeDrawer id={id} acts={acts} />}
        exportCall={exportChanges}
        emptyText={
          kind === "room"
            ? "租客换到本门店的另一间房时在这里办理：原合同截至前一日，押金和未用租金转入新合同"
            : "租客把租约转给别人时在这里办理：原合同截至前一日，新租客从生效日起承接"
        }
      />
      {swapping && (
        <SwapForm
          onAsked={({ id, actNo, version }) => acts.show({ id, actNo, version, kind })}
          onClose={() => setSwapping(false)}
        />
      )}
      {acts.layer}
    </>
  );
}
