import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { addTemplate, listTemplates } from "../template/template.contract.ts";
import { DOC_KINDS } from "../template/doc-kind.rules.ts";
import { CONTRACT_KINDS, KINDS, PARTY_WORDS } from "../terms/kind.rules.ts";
import { AddTemplate, EditTemplate } from "./template.form.tsx";
import { TemplateDrawer, useTemplateActs } from "./template.panel.tsx";

const contractSaid = (kind: keyof typeof PARTY_WORDS | null) => (kind ? PARTY_WORDS[kind][0] : "全部");

/** The contracts that are written in a template of theirs. */
const contractsOf = (docKind: string, templateId: number) => {
  const kind = CONTRACT_KINDS.find((one) => docKind === `${one}Contract`);
  return kind && reach(KINDS[kind].path, { templateId });
};

/** 模板管理: the wording of contracts and other documents by store and kind, with its versions. */
export default function TemplatesPage() {
  const [actsOf, layer] = useTemplateActs();
  const [added, setAdded] = useState<number>();
  return (
    <>
      <ListPage
        call={listTemplates}
        unit="份"
        filters={["villageIds", { key: "docKind", words: DOC_KINDS }, "contractKind", "state", "keyword"]}
        columns={[
          { key: "name", width: 180 },
          { key: "code", width: 100 },
          "docKind",
          { key: "contractKind", show: (t) => contractSaid(t.contractKind) },
          "villages",
          { key: "no", show: (t) => (t.no === null ? "—" : `第 ${t.no} 版`) },
          "effectiveFrom",
          { key: "uses", to: (t) => (t.uses ? contractsOf(t.docKind, t.id) : undefined) },
          "draft",
          "state",
          "updatedBy",
          "updatedAt",
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [
            ["docKind", "villages"],
            [(t) => (t.no === null ? "还没有发布" : `第 ${t.no} 版`), (t) => `使用 ${t.uses} 次`],
          ],
        }}
        adds={{ does: addTemplate, form: (close) => <AddTemplate onAdded={setAdded} onClose={close} /> }}
        rowActions={actsOf}
        drawer={(id) => <TemplateDrawer id={id} />}
        emptyText="没有模板时，合同和文件使用内置文本；新增后可以改写正文、发布，从生效日起提交的合同、办理的文件就用它"
      />
      {layer}
      {added !== undefined && <EditTemplate id={added} onClose={() => setAdded(undefined)} />}
    </>
  );
}
