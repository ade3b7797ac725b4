import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { copy } from "../../../platform/console/parts/toast.ts";
import { pathTo, useOneVillage } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import {
  addApplication,
  assignApplications,
  countApplications,
  exportApplications,
  listApplications,
  rejectApplications,
} from "../lease-application/application.contract.ts";
import { ROOM_STATES } from "../lease-application/application.rules.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { ApplicationForm, type ApplicationRow, AssignForm, RejectManyForm } from "./application.form.tsx";
import { ApplicationDrawer, useApplicationActs } from "./application.panel.tsx";

const tooMany = (rows: readonly unknown[]) => (rows.length > 200 ? "一次最多处理200份" : undefined);

/** 租赁申请: requests to rent, reviewed before a contract is drafted. */
export default function ApplicationsPage() {
  const [actsOf, layer] = useApplicationActs();
  const [many, setMany] = useState<{ what: "assign" | "reject"; of: readonly ApplicationRow[] }>();
  const [linking, setLinking] = useState(false);
  const close = () => setMany(undefined);
  return (
    <>
      <ListPage
        call={listApplications}
        unit="份"
        tabs={{
          key: "state",
          counts: countApplications,
          items: [
            { key: "submitted", title: "待审核" },
            { key: "approved", title: "已通过" },
            { key: "converted", title: "已转合同" },
            { key: "rejected", title: "已拒绝" },
            { key: "cancelled,expired", title: "已取消/过期" },
          ],
        }}
        filters={["villageIds", "keyword", "from", "startFrom", "source", "productId", "reviewerId"]}
        columns={[
          "applyNo",
          {
            key: "name",
            width: 140,
            show: (a) => (
              <span>
                {a.name} <span className="dim">{a.phone}</span>
              </span>
            ),
          },
          { key: "firmName", hidden: true },
          { key: "partyType", width: 72, wide: true },
          { key: "villageName", wide: true },
          {
            key: "target",
            width: 190,
            show: (a) => (a.roomIds.length ? <Rooms names={a.target} beside={a.villageName} /> : a.target),
          },
          { key: "roomState", width: 92 },
          {
            key: "wantStart",
            title: "起租日与租期",
            width: 150,
            show: (a) => (
              <span>
                {a.wantStart} <span className="dim">{a.wantMonths} 个月</span>
              </span>
            ),
          },
          { key: "occupants", width: 76, wide: true },
          { key: "budget", wide: true },
          { key: "listPrice", wide: true },
          {
            key: "documents",
            width: 64,
            to: (a) =>
              a.documents ? pathTo("/contract/LeaseApplication", { id: a.id, part: "papers" }) : undefined,
          },
          "warnings",
          { key: "source", hidden: true },
          "state",
          {
            key: "contractNo",
            hidden: true,
            to: (a) => (a.contractId ? reach(KINDS[a.partyType].path, { id: a.contractId }) : undefined),
          },
          { key: "reviewerName", width: 84 },
          "createdAt",
          { key: "expiresOn", hidden: true },
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [
            ["target"],
            ["wantStart", (a) => (a.roomState ? <WordTag words={ROOM_STATES} code={a.roomState} /> : "")],
          ],
        }}
        adds={{ does: addApplication, form: (done) => <ApplicationForm onClose={done} /> }}
        toolbar={[{ label: "申请链接", icon: "globe", need: "236.query", run: () => setLinking(true) }]}
        rowActions={actsOf}
        batch={[
          {
            label: "指派审核人",
            does: assignApplications,
            why: tooMany,
            run: (of) => setMany({ what: "assign", of }),
          },
          {
            label: "批量拒绝",
            does: rejectApplications,
            why: tooMany,
            run: (of) => setMany({ what: "reject", of }),
          },
        ]}
        drawer={(id) => <ApplicationDrawer id={id} />}
        exportCall={exportApplications}
        emptyText="客户在线提交或在前台登记的租房申请，审核通过后转为合同"
      />
      {layer}
      {many?.what === "assign" && <AssignForm of={many.of} onClose={close} />}
      {many?.what === "reject" && <RejectManyForm of={many.of} onClose={close} />}
      {linking && <LinkDialog onClose={() => setLinking(false)} />}
    </>
  );
}

/** The page on which strangers apply for rooms of a store. */
function LinkDialog({ onClose }: { onClose: () => void }) {
  const [villageId, setVillageId] = useState<number | undefined>(useOneVillage().villageId);
  const link = `${location.origin}/sams/service/AppH5Page?apply=${villageId}`;
  return (
    <Dialog
      title="在线申请链接"
      onClose={onClose}
      footer={
        <>
          <Button run={onClose}>关闭</Button>
          <Button look="main" why={villageId ? undefined : "请选择门店"} run={() => copy(link)}>
            复制链接
          </Button>
        </>
      }
    >
      <p className="asked">客户打开链接，凭短信验证码提交申请，提交后出现在待审核中。</p>
      <VillageSelect value={villageId} onChange={setVillageId} id="link-village" />
      {villageId && <p className="sub fs-13">{link}</p>}
    </Dialog>
  );
}
