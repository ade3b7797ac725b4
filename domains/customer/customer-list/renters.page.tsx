import { useWords } from "../../../platform/console/inputs/dic.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { VillageImport } from "../../../platform/console/files/village-import.tsx";
import { renterImport } from "../import/import.contract.ts";
import { RenterDrawer, RenterPicture } from "./renter.panel.tsx";
import { useRenterActs } from "./renter-acts.panel.tsx";
import { exportRenters, listRenters, addRenter } from "../renter/renter.contract.ts";
import { RenterForm } from "../renter/renter.form.tsx";
import { Tags } from "../renter/tags.panel.tsx";
import { VERIFY } from "../renter/words.rules.ts";
import { BLACK } from "../blacklist/blacklist.rules.ts";
import { mergeRenters } from "../renter/acts.contract.ts";

/** 租客管理: every tenant once, with where, what is owed, what happened (?id= opens one). */
export default function RentersPage() {
  const acts = useRenterActs();
  const sources = Object.fromEntries(
    useWords({ kind: "customer", group: "source" }).map((s) => [s.code, [s.name, "grey"] as const]),
  );
  const tags = Object.fromEntries(
    useWords({ kind: "customer", group: "tag" }).map((t) => [t.name, [t.name, "grey"] as const]),
  );
  return (
    <>
      <ListPage
        call={listRenters}
        unit="人"
        filters={[
          "villageIds",
          "stage",
          "arrears",
          "keyword",
          "verify",
          "black",
          { key: "source", words: sources },
          { key: "tags", words: tags },
          "birthMonth",
          "createdFrom",
        ]}
        columns={[
          { key: "name", width: 96 },
          "phone",
          { key: "certNo", hidden: true },
          {
            key: "gender",
            hidden: true,
            show: (r) => (r.gender === null ? NONE : r.gender === "male" ? "男" : "女"),
          },
          "stage",
          {
            key: "roomName",
            width: 230,
            to: (r) => (r.roomId ? reach("/configuration/apartment", { room: r.roomId }) : undefined),
          },
          "endDate",
          { key: "arrears", strong: true },
          "prepaid",
          "deposit",
          { key: "tags", show: (r) => <Tags tags={r.tags} /> },
          { key: "verify", show: (r) => <WordTag words={VERIFY} code={r.verify} dot={false} /> },
          {
            key: "black",
            show: (r) => (r.black === "none" ? NONE : <WordTag words={BLACK} code={r.black} />),
          },
          { key: "sourceName", hidden: true },
          { key: "homeVillageName", hidden: true },
          "createdAt",
        ]}
        card={{
          title: "name",
          right: "stage",
          lines: [
            ["roomName", "endDate"],
            ["phone", "arrears"],
          ],
          sums: ["arrears", "prepaid", "deposit"],
        }}
        adds={{ label: "新增租客", does: addRenter, form: (close) => <RenterForm onClose={close} /> }}
        imports={{
          does: renterImport.check,
          form: (close) => <VillageImport title="导入租客" calls={renterImport} onClose={close} />,
        }}
        rowActions={acts.of}
        batch={[
          { label: "打标签", need: "16.edit", run: acts.tag },
          acts.write,
          {
            label: "合并",
            does: mergeRenters,
            why: (rows) => (rows.length === 2 ? undefined : "请选择两条租客记录"),
            run: acts.merge,
          },
        ]}
        drawer={(id) => <RenterDrawer id={id} acts={acts} />}
        exportCall={exportRenters}
        picture={(query, filter) => <RenterPicture query={query} filter={filter} />}
        emptyText="租客在登记、签约或导入后出现在这里，一人一条记录"
      />
      {acts.layer}
    </>
  );
}
