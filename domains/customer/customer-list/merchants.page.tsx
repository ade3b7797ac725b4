import { ListPage } from "../../../platform/console/list/list.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { VillageImport } from "../../../platform/console/files/village-import.tsx";
import { SUBJECTS } from "../firm/words.rules.ts";
import { merchantImport } from "../import/import.contract.ts";
import { filterWords } from "../lead/funnel.panel.tsx";
import { Tags } from "../renter/tags.panel.tsx";
import { BLACK } from "../blacklist/blacklist.rules.ts";
import { useMerchantActs } from "./merchant-acts.panel.tsx";
import { exportMerchants, listMerchants, addMerchant } from "../merchant/merchant.contract.ts";
import { MerchantForm } from "../merchant/merchant.form.tsx";
import { MerchantDrawer } from "./merchant.panel.tsx";
import { MerchantPicture, useMerchantWords } from "../merchant/picture.panel.tsx";

/** 商户管理: shop tenants, their papers, contacts and what they owe (?id= opens one). */
export default function MerchantsPage() {
  const acts = useMerchantActs();
  const words = useMerchantWords();
  return (
    <>
      <ListPage
        call={listMerchants}
        unit="户"
        filters={[
          "villageIds",
          "stage",
          { key: "category", words: filterWords(words.categories.map((w) => [w, w])) },
          "keyword",
          "subject",
          "arrears",
          "papers",
          { key: "tags", words: filterWords(words.tags.map((w) => [w, w])) },
        ]}
        columns={[
          { key: "name", width: 128 },
          "brand",
          "category",
          { key: "subject", show: (m) => SUBJECTS[m.subject][0] },
          { key: "stage", hidden: true },
          { key: "contactName", width: 72 },
          "phone",
          {
            key: "roomNames",
            width: 156,
            to: (m) => (m.roomId ? reach("/configuration/apartment", { room: m.roomId }) : undefined),
          },
          "area",
          "endDate",
          // what is owed stands in sight without scrolling
          { key: "arrears", strong: true },
          "turnover",
          "rentKind",
          "monthlyRent",
          "papersDue",
          { key: "tags", hidden: true, show: (m) => <Tags tags={m.tags} /> },
          {
            key: "black",
            hidden: true,
            show: (m) => (m.black === "none" ? NONE : <WordTag words={BLACK} code={m.black} />),
          },
          { key: "homeVillageName", hidden: true },
          { key: "createdAt", hidden: true },
        ]}
        card={{
          title: "name",
          right: "category",
          lines: [
            ["roomNames", "endDate"],
            ["contactName", "phone"],
            ["area", "arrears"],
          ],
          sums: ["area", "arrears"],
        }}
        adds={{ label: "新增商户", does: addMerchant, form: (close) => <MerchantForm onClose={close} /> }}
        imports={{
          does: merchantImport.check,
          form: (close) => <VillageImport title="导入商户" calls={merchantImport} onClose={close} />,
        }}
        rowActions={acts.of}
        batch={[
          acts.write,
          {
            label: "合并",
            need: "#1602",
            why: (rows) => (rows.length === 2 ? undefined : "请选择两条商户记录"),
            run: acts.merge,
          },
        ]}
        drawer={(id) => <MerchantDrawer id={id} acts={acts} />}
        exportCall={exportMerchants}
        picture={(query, filter) => <MerchantPicture query={query} filter={filter} />}
        emptyText="租商铺的商户登记在这里：铺位、联系人、证照和欠费"
      />
      {acts.layer}
    </>
  );
}
