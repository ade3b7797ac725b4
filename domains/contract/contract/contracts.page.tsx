import { lazy, Suspense, useState } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import { roomBeside } from "../../../platform/kernel/names.ts";
import { Money, NONE } from "../../../platform/console/kinds.tsx";
import { exportList } from "../../../platform/console/exporting.ts";
import { ListPage } from "../../../platform/console/list.tsx";
import { pathTo, useAddress } from "../../../platform/console/page.ts";
import type { Source } from "../../../platform/console/source.ts";
import { PageSkeleton } from "../../../platform/console/states.tsx";
import {
  countContracts,
  CYCLE_WORDS,
  exportContracts,
  FLAGS,
  listContracts,
  packPapers,
  SIGN_MODES,
  SOURCES,
} from "./contract.contract.ts";
import { buildingOptions } from "../../finance/bill/building.contract.ts";
import { useContractActs } from "./acts.panel.tsx";
import { KeeperForm, PEOPLE } from "./keeper.form.tsx";
import { whyNotKeeper, type State } from "./contract.rules.ts";
import { ContractDrawer } from "./contract.panel.tsx";
import { ExpiryPicture } from "./expiry.panel.tsx";
import "./contract.css";

const OpeningImport = lazy(() =>
  import("../import/import.form.tsx").then((m) => ({ default: m.OpeningImport })),
);
const Drafting = lazy(() => import("../drafting/drafting.form.tsx").then((m) => ({ default: m.Drafting })));

/** Tenants' contracts: the list, the contract beside it (?id=), and the form over it (?draft=). */
export default function ContractsPage() {
  const [address, set] = useAddress();
  const [actsOf, layer] = useContractActs(true);
  const [keeping, setKeeping] = useState<readonly { id: number; contractNo: string }[]>();
  const buildings = buildingsIn(address.get("villageIds"));
  const [importing, setImporting] = useState(false);
  const draft = address.get("draft");
  if (draft)
    return (
      <Suspense fallback={<PageSkeleton />}>
        <Drafting
          key={draft}
          id={Number(draft) || undefined}
          onClose={(openId) =>
            set({
              draft: undefined,
              villageId: undefined,
              roomId: undefined,
              partyId: undefined,
              start: undefined,
              end: undefined,
              rent: undefined,
              unitPrice: undefined,
              payPlan: undefined,
              id: openId,
            })
          }
        />
      </Suspense>
    );
  return (
    <>
      <ListPage
        call={listContracts}
        unit="份"
        tabs={{
          key: "tab",
          counts: countContracts,
          items: [
            { key: "all", title: "全部" },
            { key: "draft", title: "草稿" },
            { key: "signing", title: "待签署" },
            { key: "toStart", title: "待生效" },
            { key: "living", title: "在租" },
            { key: "ending", title: "即将到期" },
            { key: "expired", title: "到期未退" },
            { key: "ended", title: "已结束" },
            { key: "voided", title: "作废" },
          ],
        }}
        filters={[
          { kind: "village", key: "villageIds" },
          { kind: "keyword", key: "keyword", title: "合同号、租客、手机号、房间" },
          { kind: "days", from: "endFrom", to: "endTo", title: "到期日" },
          { kind: "choice", key: "flag", title: "标记", words: FLAGS },
          { kind: "days", from: "startFrom", to: "startTo", title: "起租日" },
          { kind: "days", from: "signedFrom", to: "signedTo", title: "签约日" },
          { kind: "record", key: "buildingId", title: "楼栋", source: buildings },
          { kind: "flag", key: "owing", title: "是否欠费" },
          { kind: "record", key: "managerId", title: "管家", source: PEOPLE },
          { kind: "record", key: "signerId", title: "签约人", source: PEOPLE },
          { kind: "choice", key: "signMode", title: "签署方式", words: SIGN_MODES },
          { kind: "choice", key: "cycle", title: "付款方式", words: CYCLE_WORDS },
          { kind: "choice", key: "source", title: "来源", words: SOURCES },
        ]}
        columns={[
          "contractNo",
          "villageName",
          "phase",
          { key: "roomNames", width: 150, show: (c) => roomBeside(c.villageName, c.roomNames) },
          {
            key: "partyName",
            to: (c) => (c.partyId ? pathTo("/configuration/RenterManage", { id: c.partyId }) : undefined),
          },
          { key: "partyPhone", hidden: true },
          "startDate",
          {
            key: "endDate",
            show: (c) => (
              <EndDay
                day={c.endDate}
                left={c.phase === "living" || c.phase === "ending" ? c.daysLeft : null}
              />
            ),
          },
          "currentRent",
          { key: "overdue", strong: true },
          { key: "netRent", hidden: true },
          {
            key: "depositHeld",
            title: "押金 在管/约定",
            show: (c) => (
              <span>
                <Money fen={c.depositHeld} />
                <span className="dim"> / {c.depositAmount === null ? "—" : yuan(c.depositAmount)}</span>
              </span>
            ),
          },
          {
            key: "nextDueOn",
            show: (c) =>
              c.nextDueOn ? (
                <span className={c.nextDueOn < c.facts.today ? "neg" : ""}>
                  {c.nextDueOn} <span className="nx__fen">{yuan(c.nextDueFen ?? 0)}</span>
                </span>
              ) : (
                NONE
              ),
          },
          "payText",
          "flags",
          { key: "signMode", hidden: true },
          { key: "source", hidden: true },
          "signerName",
          { key: "managerName", hidden: true },
          "signedOn",
          { key: "updatedAt", hidden: true },
        ]}
        card={{
          title: (c) => c.roomNames || c.contractNo,
          right: "phase",
          lines: [
            ["partyName", "currentRent"],
            ["endDate", "overdue"],
            [(c) => <span className="dim">{c.contractNo}</span>],
          ],
        }}
        toolbar={[
          {
            label: "新签合同",
            icon: "plus",
            main: true,
            need: "9.add",
            run: () => set({ draft: "new" }, { push: true }),
          },
          { label: "导入", icon: "upload", need: "9.import", run: () => setImporting(true) },
        ]}
        rowActions={actsOf}
        sumNote={(sums) => `按当前筛选的全部合同，房间 ${Number(sums["rooms"] ?? 0).toLocaleString()} 间`}
        batch={[
          {
            label: "换管家",
            need: "9.edit",
            why: (rows) => tooMany(rows) ?? allRefused(rows),
            run: (rows) => setKeeping([...rows]),
          },
          {
            label: "下载合同",
            need: "9.get",
            why: (rows) =>
              tooMany(rows) ?? (rows.some((c) => c.signedOn) ? undefined : "所选合同都还没有签署"),
            run: (rows) => exportList(packPapers, { query: { ids: rows.map((c) => c.id).join(",") } }, []),
          },
        ]}
        drawer={(id) => <ContractDrawer id={id} />}
        exportCall={exportContracts}
        picture={(query, filter) => <ExpiryPicture query={query} filter={filter} />}
        emptyText="这里管理租客的租赁合同：选房、定条款、试算账单、签署、入住，都从新签一份合同开始"
      />
      {keeping && <KeeperForm of={keeping} onClose={() => setKeeping(undefined)} />}
      {layer}
      {importing && (
        <Suspense>
          <OpeningImport onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  );
}

/** 楼栋, of the chosen stores where some are chosen. */
const buildingsIn = (villageIds: string | null): Source => ({
  call: buildingOptions,
  query: villageIds ? { villageIds } : {},
  option: ((b: { id: number; name: string; villageName: string }) => ({
    value: b.id,
    label: b.name,
    note: b.villageName,
  })) as Source["option"],
});

const tooMany = (rows: readonly unknown[]) => (rows.length > 200 ? "一次最多处理200份" : undefined);
/** What stands in the way of some is said of each afterwards; in the way of all, at once. */
const allRefused = (rows: readonly { state: State }[]) =>
  rows.every((c) => whyNotKeeper(c.state)) ? whyNotKeeper(rows[0]?.state ?? "voided") : undefined;

const EndDay = ({ day, left }: { day: string | null; left: number | null }) =>
  day === null ? (
    NONE
  ) : (
    <span>
      {day}
      {left !== null && left <= 90 && (
        <span className={left <= 30 ? "soon" : "dim"}> {left === 0 ? "今天" : `${left} 天后`}</span>
      )}
    </span>
  );
