import { switchAction } from "../../../platform/console/calls/record-acts.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { useOpened } from "../../../platform/console/form/opened.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { SWITCHED } from "../../../platform/kernel/switched.ts";
import { Moments } from "../journal/entries.panel.tsx";
import { listSheets } from "./income.contract.ts";
import { PartnerForm, TermsForm } from "./partner.form.tsx";
import {
  addPartner,
  addTerms,
  disablePartner,
  editPartner,
  enablePartner,
  exportPartners,
  getPartner,
  listPartners,
  type PartnerRow,
} from "./third-party.contract.ts";
import { PARTNER_KIND, SHEETS } from "./third-party.rules.ts";

const FORMS = { edit: PartnerForm, terms: TermsForm };
type Opens = (what: keyof typeof FORMS, of: PartnerRow) => () => void;
const BEYOND = "该合作方含您不能管理的门店，请由可管理其全部门店的人员修改";

const actionsOf = (p: PartnerRow, open: Opens): Actions => {
  const why = p.beyond ? BEYOND : undefined;
  return [
    { label: "编辑", does: editPartner, why, run: open("edit", p) },
    { label: "变更条款", does: addTerms, why, run: open("terms", p) },
    switchAction({ enable: enablePartner, disable: disablePartner }, p, {
      why,
      ask: { title: `停用 ${p.name}`, body: "停用后不能再登记它的收入，已登记的不受影响。" },
    }),
  ];
};

/** Who collects money in the stores, and by which terms it is shared. */
export function Partners() {
  const { opens, layer } = useOpened(getPartner, FORMS);
  return (
    <>
      <ListPage
        call={listPartners}
        unit="个合作方"
        filters={["villageIds", "kind", "state", "keyword"]}
        columns={[
          "name",
          { key: "kind", show: (p) => PARTNER_KIND[p.kind][0], width: 84 },
          "villageNames",
          "terms",
          "startDate",
          { key: "endDate", show: (p) => p.endDate ?? "长期" },
          "contact",
          "state",
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [["villageNames", (p) => PARTNER_KIND[p.kind][0]], ["terms"]],
        }}
        adds={{ does: addPartner, form: (done) => <PartnerForm onClose={done} /> }}
        rowActions={(p) => actionsOf(p, opens)}
        drawer={(id) => <PartnerDrawer id={id} open={opens} />}
        exportCall={exportPartners}
        emptyText="停车、自动售货、广告等合作方在这里登记协议和分成条款"
      />
      {layer}
    </>
  );
}

function PartnerDrawer({ id, open }: { id: number; open: Opens }) {
  const go = useGo();
  return (
    <Detail
      call={getPartner}
      sent={{ params: { id } }}
      title={(p) => p.name}
      tags={(p) => (
        <>
          <WordTag words={SWITCHED} code={p.state} />
          <WordTag words={PARTNER_KIND} code={p.kind} dot={false} />
        </>
      )}
      facts={[
        { key: "villageNames", wide: true },
        { title: "协议期", show: (p) => `${p.startDate} ~ ${p.endDate ?? "长期"}` },
        { key: "contact", show: (p) => p.contact || NONE },
        { key: "terms", wide: true },
      ]}
      actions={(p) => [
        ...actionsOf(p, open),
        {
          label: "收入明细",
          does: listSheets,
          run: () => go(SHEETS, { list: "sheets", thirdPartyId: p.id }),
        },
      ]}
      tabs={[
        {
          key: "history",
          title: "分成条款",
          count: (p) => p.history.length,
          view: (p) => (
            <RowTable
              schema={getPartner.reply.shape.history}
              rows={p.history}
              emptyText="没有条款"
              columns={["fromMonth", "shareMode", "terms", "tax", "createdAt"]}
            />
          ),
        },
        {
          key: "files",
          title: "合作协议",
          count: (p) => p.files.length,
          view: (p) => <Papers files={p.files} />,
        },
        { key: "log", title: "业务日志", view: (p) => <Moments log={p.log} /> },
      ]}
    />
  );
}
