import { ListPage } from "../../../platform/console/list/list.tsx";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { VillageImport } from "../../../platform/console/files/village-import.tsx";
import { FIRM_PAGE } from "../firm/words.rules.ts";
import { companyImport } from "../import/import.contract.ts";
import { filterWords } from "../lead/funnel.panel.tsx";
import { Tags } from "../renter/tags.panel.tsx";
import { BLACK } from "../blacklist/blacklist.rules.ts";
import { useCompanyActs } from "./company-acts.panel.tsx";
import { exportCompanies, listCompanies, addCompany } from "../company/company.contract.ts";
import { CompanyForm } from "../company/company.form.tsx";
import { CompanyDrawer } from "./company.panel.tsx";
import { useCompanyWords } from "../company/words.panel.tsx";

/** 企业管理: company customers once each, with rooms, people, credit and what is owed (?id= opens one). */
export default function CompaniesPage() {
  const acts = useCompanyActs();
  const words = useCompanyWords();
  const part = (name: string) => (c: { id: number }) => pathTo(FIRM_PAGE.company, { id: c.id, part: name });
  return (
    <>
      <ListPage
        call={listCompanies}
        unit="家"
        filters={[
          "villageIds",
          "stage",
          "arrears",
          "keyword",
          { key: "industry", words: filterWords(words.industries.map((w) => [w, w])) },
          { key: "ownerId", words: filterWords(words.owners.map((o) => [o.id, o.name])) },
          "credit",
          { key: "tags", words: filterWords(words.tags.map((w) => [w, w])) },
        ]}
        columns={[
          { key: "name", width: 164 },
          { key: "creditCode", width: 170 },
          { key: "contactName", width: 72 },
          "phone",
          { key: "ownerName", width: 72 },
          { key: "stage", hidden: true },
          { key: "rooms", to: part("rooms") },
          {
            key: "occupancy",
            show: (c) => (c.capacity ? `${c.occupants} / ${c.capacity}` : NONE),
          },
          "monthlyRent",
          // what is owed stands in sight without scrolling
          { key: "arrears", strong: true },
          { key: "creditDays", show: (c) => `${c.creditDays} 天` },
          {
            key: "creditLimit",
            show: (c) => (c.creditLimit === null ? "不限" : <Money fen={c.creditLimit} />),
          },
          "creditShare",
          "endDate",
          { key: "industry", hidden: true },
          { key: "tags", hidden: true, show: (c) => <Tags tags={c.tags} /> },
          {
            key: "black",
            hidden: true,
            show: (c) => (c.black === "none" ? NONE : <WordTag words={BLACK} code={c.black} />),
          },
          { key: "homeVillageName", hidden: true },
          { key: "createdAt", hidden: true },
        ]}
        card={{
          title: "name",
          right: "stage",
          lines: [
            ["contactName", "phone"],
            ["rooms", "monthlyRent"],
            ["endDate", "arrears"],
          ],
          sums: ["rooms", "monthlyRent", "arrears"],
        }}
        adds={{ label: "新增企业", does: addCompany, form: (close) => <CompanyForm onClose={close} /> }}
        imports={{
          does: companyImport.check,
          form: (close) => <VillageImport title="导入企业" calls={companyImport} onClose={close} />,
        }}
        rowActions={acts.of}
        batch={[
          acts.write,
          {
            label: "合并",
            need: "#1602",
            why: (rows) => (rows.length === 2 ? undefined : "请选择两条企业记录"),
            run: acts.merge,
          },
        ]}
        drawer={(id) => <CompanyDrawer id={id} acts={acts} />}
        exportCall={exportCompanies}
        emptyText="租多间房给员工住的企业登记在这里：合同、房间与入住人、对账单和授信"
      />
      {acts.layer}
    </>
  );
}
